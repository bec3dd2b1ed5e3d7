package main

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

const openSearch = "opensearch-2.19.1"

// artifact is a file of the Java world, with the hash it must have.
type artifact struct{ group, name, version, kind, sha256 string }

func (a artifact) file() string { return a.name + "-" + a.version + "." + a.kind }

// The distribution meant for tests comes without modules. Two are needed: common
// analysis, because k-NN's neighbours expect it, and Painless, which it extends.
var (
	distribution = artifact{"org.opensearch.distribution.integ-test-zip",
		"opensearch", "2.19.1", "zip",
		"af7152d8b7f6f1cee09d47276b32b70479fe6dd8cdbb61213f84eb7f8098b261"}
	knn = artifact{"org.opensearch.plugin", "opensearch-knn", "2.19.1.0", "zip",
		"eab8c9818865bc035212eab5068cdacae164baa09d4c152f49b736d6f6b0e85c"}
	modules = []module{
		{"lang-painless", "org.opensearch.painless.PainlessPlugin", "", []artifact{
			{"org.opensearch.plugin", "lang-painless", "2.19.1", "jar",
				"3cf5e02efa40ff5b88e74e1ab66a0bc462de3509fab4a6a4ffe90b8d13777a9a"},
			{"org.opensearch.plugin", "opensearch-scripting-painless-spi", "2.19.1", "jar",
				"c2598797a5f6f897ce7e8d05f593ff96de3fbc56c52f299d63cddcae41556dda"},
			{"org.antlr", "antlr4-runtime", "4.13.1", "jar",
				"54665d2838cc66458343468efc539e454fc95b46a8a04b13c6ac43fc9be63505"},
			{"org.ow2.asm", "asm", "9.7", "jar",
				"adf46d5e34940bdf148ecdd26a9ee8eea94496a72034ff7141066b3eea5c4e9d"},
			{"org.ow2.asm", "asm-util", "9.7", "jar",
				"37a6414d36641973f1af104937c95d6d921b2ddb4d612c66c5a9f2b13fc14211"},
			{"org.ow2.asm", "asm-tree", "9.7", "jar",
				"62f4b3bc436045c1acb5c3ba2d8ec556ec3369093d7f5d06c747eb04b56d52b1"},
			{"org.ow2.asm", "asm-commons", "9.7", "jar",
				"389bc247958e049fc9a0408d398c92c6d370c18035120395d4cba1d9d9304b7a"},
			{"org.ow2.asm", "asm-analysis", "9.7", "jar",
				"7bc6bcbc21379948a0c8c467fb0f864206e5b818f6bc0b546872f5c9f941556f"},
		}},
		{"analysis-common", "org.opensearch.analysis.common.CommonAnalysisPlugin",
			"lang-painless", []artifact{
				{"org.opensearch.plugin", "analysis-common", "2.19.1", "jar",
					"13fdc1071af42946b13153a62491a5e9b0ad214d44f7c8153d3afef60f558821"},
			}},
	}
)

// module is a part of the server made from loose jars.
type module struct {
	name, class, extends string
	jars                 []artifact
}

// The server's own settings. Logs go to standard output.
const (
	openSearchConfig = `cluster.name: emulator
discovery.type: single-node
network.host: 127.0.0.1
node.store.allow_mmap: false
cluster.routing.allocation.disk.threshold_enabled: false
action.auto_create_index: false
`
	openSearchLogging = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`
	painlessPolicy = `grant {
  permission java.lang.RuntimePermission "createClassLoader";
  permission java.lang.RuntimePermission "getClassLoader";
};
`
)

func openSearchService() *service {
	return &service{
		name:     "opensearch",
		variable: "WSTK_OPENSEARCH",
		health:   "/_cluster/health?wait_for_status=yellow&timeout=1s",
		install:  installOpenSearch,
		command:  startOpenSearch,
	}
}

func startOpenSearch(cache, dir string, port int) (*exec.Cmd, error) {
	version, err := javaVersion()
	if err != nil {
		return nil, err
	}
	transport, err := freePort()
	if err != nil {
		return nil, err
	}
	home := filepath.Join(cache, openSearch)
	for _, sub := range []string{"config", "data", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{"opensearch.yml": openSearchConfig,
		"log4j2.properties": openSearchLogging} {
		if err := os.WriteFile(filepath.Join(dir, "config", name), []byte(text),
			0o644); err != nil {
			return nil, err
		}
	}
	attr := &syscall.SysProcAttr{}
	if isRoot { // OpenSearch refuses to run as root
		uid, gid, err := unprivileged()
		if err != nil {
			return nil, err
		}
		if !openToAll(dir) {
			return nil, fmt.Errorf("%s cannot be reached by other users, and the server does not "+
				"run as root: set TMPDIR to a folder open to all", dir)
		}
		if !openToAll(home) {
			own := filepath.Join(dir, openSearch)
			if err := os.CopyFS(own, os.DirFS(home)); err != nil {
				return nil, err
			}
			home = own
		}
		err = filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, int(uid), int(gid))
		})
		if err != nil {
			return nil, err
		}
		attr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	}
	// what the server's start script passes, without the two further virtual
	// machines which that script starts to find it out
	args := []string{"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC",
		"-XX:TieredStopAtLevel=1", "-Xshare:auto",
		"-Djava.io.tmpdir=" + filepath.Join(dir, "tmp"), "-Djava.awt.headless=true",
		"-Dfile.encoding=UTF-8", "-Djna.nosys=true",
		"-Dio.netty.noUnsafe=true", "-Dio.netty.noKeySetOptimization=true",
		"-Dio.netty.recycler.maxCapacityPerThread=0",
		"-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true",
		"-Djava.util.concurrent.ForkJoinPool.common.threadFactory=" +
			"org.opensearch.secure_sm.SecuredForkJoinWorkerThreadFactory",
		"-Dopensearch.path.home=" + home, "-Dopensearch.path.conf=" + filepath.Join(dir, "config"),
		"-Dopensearch.distribution.type=zip", "-Dopensearch.bundled_jdk=false"}
	if version >= 18 {
		args = append(args, "-Djava.security.manager=allow")
	}
	args = append(args, "-cp", filepath.Join(home, "lib", "*"),
		"org.opensearch.bootstrap.OpenSearch",
		fmt.Sprint("-Ehttp.port=", port), fmt.Sprint("-Etransport.port=", transport),
		"-Epath.data="+filepath.Join(dir, "data"), "-Epath.logs="+filepath.Join(dir, "tmp"))
	cmd := exec.Command("java", args...)
	cmd.Dir, cmd.SysProcAttr = dir, attr
	return cmd, nil
}

// unprivileged is the user the server runs as when this program is root.
func unprivileged() (uid, gid uint32, err error) {
	u, err := user.Lookup("nobody")
	if err != nil {
		return 0, 0, fmt.Errorf("the server does not run as root, and the user for that is "+
			"missing: run this as another user (%w)", err)
	}
	id, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return 0, 0, err
	}
	group, err := strconv.ParseUint(u.Gid, 10, 32)
	return uint32(id), uint32(group), err
}

// openToAll reports whether every user may enter dir.
func openToAll(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		st, err := os.Stat(dir)
		if err != nil || st.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// javaVersion is the major version of the java that is found first.
func javaVersion() (int, error) {
	out, err := output("java", "-version")
	if err != nil {
		return 0, errors.New("no Java")
	}
	m := regexp.MustCompile(`version "(\d+)`).FindStringSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("reading the version of Java: %s", out)
	}
	major, err := strconv.Atoi(m[1])
	if err == nil && (major < 11 || major > 23) {
		err = fmt.Errorf("found Java %d, and OpenSearch 2 needs 11 to 23, best 17", major)
	}
	return major, err
}

func installOpenSearch(cache string, say func(string, ...any)) error {
	hasJava := func() error { _, err := javaVersion(); return err }
	if err := need(say, hasJava, "openjdk-17-jre-headless"); err != nil {
		return err
	}
	home := filepath.Join(cache, openSearch)
	return once(home, func() error {
		hasMaven := func() error {
			if _, err := output("mvn", "--version"); err != nil {
				return errors.New("no Maven")
			}
			return nil
		}
		if err := need(say, hasMaven, "maven"); err != nil {
			return err
		}
		say("installing %s with k-NN (about a minute and 80 MB)", openSearch)
		work, err := os.MkdirTemp(cache, "maven-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		files := filepath.Join(work, "files")
		if err := twice(say, func() error { return download(work, files) }); err != nil {
			return err
		}
		return assemble(files, home)
	})
}

// download lets Maven bring every artifact into files, and checks their hashes.
func download(work, files string) error {
	all := []artifact{distribution, knn}
	for _, m := range modules {
		all = append(all, m.jars...)
	}
	var items strings.Builder
	for _, a := range all {
		fmt.Fprintf(&items, "<artifactItem><groupId>%s</groupId><artifactId>%s</artifactId>"+
			"<version>%s</version><type>%s</type></artifactItem>\n",
			a.group, a.name, a.version, a.kind)
	}
	pom := filepath.Join(work, "pom.xml")
	err := os.WriteFile(pom, fmt.Appendf(nil, `<project><modelVersion>4.0.0</modelVersion>
<groupId>emulator</groupId><artifactId>files</artifactId><version>1</version><packaging>pom</packaging>
<build><plugins><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>2.8</version>
<configuration><outputDirectory>%s</outputDirectory><artifactItems>
%s</artifactItems></configuration></plugin></plugins></build></project>
`, files, &items), 0o644)
	if err != nil {
		return err
	}
	if _, err := output("mvn", "-q", "-B", "-f", pom,
		"-Dmaven.repo.local="+filepath.Join(work, "repository"), "dependency:copy"); err != nil {
		return err
	}
	for _, a := range all {
		data, err := os.ReadFile(filepath.Join(files, a.file()))
		if err != nil {
			return err
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != a.sha256 {
			return fmt.Errorf("%s has the hash %s, want %s", a.file(), got, a.sha256)
		}
	}
	return nil
}

// assemble makes a server of the files.
func assemble(files, home string) error {
	if err := unzip(filepath.Join(files, distribution.file()), home, openSearch+"/"); err != nil {
		return err
	}
	if err := unzip(filepath.Join(files, knn.file()),
		filepath.Join(home, "plugins", knn.name), ""); err != nil {
		return err
	}
	for _, m := range modules {
		dir := filepath.Join(home, "modules", m.name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		about := fmt.Sprintf("description=%s\nversion=%s\nname=%[1]s\nclassname=%[3]s\n"+
			"java.version=11\nopensearch.version=%[2]s\nextended.plugins=%[4]s\n"+
			"has.native.controller=false\n",
			m.name, distribution.version, m.class, m.extends)
		if err := os.WriteFile(filepath.Join(dir, "plugin-descriptor.properties"), []byte(about),
			0o644); err != nil {
			return err
		}
		for _, a := range m.jars {
			if err := os.Rename(filepath.Join(files, a.file()),
				filepath.Join(dir, a.file())); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(home, "modules", "lang-painless", "plugin-security.policy"),
		[]byte(painlessPolicy), 0o644)
}

// unzip unpacks an archive into dir, with prefix taken off its names.
func unzip(archive, dir, prefix string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		name := strings.TrimPrefix(f.Name, prefix)
		if strings.HasSuffix(name, "/") || name == "" {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s leads out of its archive", f.Name)
		}
		if err := extract(f, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func extract(f *zip.File, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, f.Mode().Perm()|0o444)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
