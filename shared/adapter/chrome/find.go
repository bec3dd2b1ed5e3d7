package chrome

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"wstk/shared/wstk"
)

// names are what the browser is called on PATH, the plainest build first.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
	"chrome", "headless-shell",
	"chrome-headless-shell", "microsoft-edge"}

// places are where the browser is when it is not on PATH.
func places() []string {
	switch runtime.GOOS {
	case "darwin":
		var list []string
		home, _ := os.UserHomeDir()
		for _, root := range []string{"/Applications", filepath.Join(home, "Applications")} {
			for _, app := range []string{"Chromium", "Google Chrome", "Microsoft Edge"} {
				list = append(list, filepath.Join(root, app+".app", "Contents", "MacOS", app))
			}
		}
		return list
	case "windows":
		var list []string
		for _, root := range []string{os.Getenv("ProgramFiles"), os.Getenv("ProgramFiles(x86)"),
			os.Getenv("LocalAppData")} {
			for _, app := range []string{`Chromium\Application\chrome.exe`,
				`Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
				if root != "" {
					list = append(list, filepath.Join(root, app))
				}
			}
		}
		return list
	}
	return []string{"/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "/snap/bin/chromium",
		"/headless-shell/headless-shell"}
}

// Find returns the path of the browser: configured when that is not "", else the first
// Chromium or Chrome on PATH or in the system's usual places. Without one the error is
// Unavailable, and its next steps say how to get one.
func Find(configured string) (string, error) {
	const op = "looking for a browser"
	if configured != "" {
		path, err := exec.LookPath(configured)
		if err != nil {
			return "", wstk.Errorf(wstk.Unavailable, op, "there is no program %s", configured).
				Try(browserSetting("to the path of Chromium or Chrome, or leave it out"))
		}
		return path, nil
	}
	for _, name := range append(names, places()...) {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", wstk.Errorf(wstk.Unavailable, op, "neither Chromium nor Chrome is installed").
		Try(wstk.Step{Do: wstk.DoInstall}, browserSetting("to its path"))
}

// browserSetting is the step that names a browser in the settings.
func browserSetting(value string) wstk.Step {
	return wstk.Step{Do: wstk.DoConfigure, Setting: "render.browser",
		Variable: "WSTK_BROWSER", Say: value}
}

// SystemProfile returns the folder in which the browser at path keeps its user's own
// profile. Unavailable means that the system's place is not known.
func SystemProfile(path string) (string, error) {
	vendor := vendorOf(path)
	switch runtime.GOOS {
	case "darwin":
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, "Library", "Application Support",
				map[string]string{"chromium": "Chromium", "google-chrome": "Google/Chrome",
					"microsoft-edge": "Microsoft Edge"}[vendor]), nil
		}
	case "windows":
		if local := os.Getenv("LocalAppData"); local != "" {
			return filepath.Join(local,
				map[string]string{"chromium": "Chromium", "google-chrome": `Google\Chrome`,
					"microsoft-edge": `Microsoft\Edge`}[vendor], "User Data"), nil
		}
	default:
		if config, err := os.UserConfigDir(); err == nil {
			return filepath.Join(config, vendor), nil
		}
	}
	return "", wstk.Errorf(wstk.Unavailable, "looking for the browser's profile",
		"this user has no home folder").
		Try(wstk.Step{Do: wstk.DoOption, For: "name the folder",
			Options: []wstk.Option{wstk.OptProfile.On()}})
}

// vendorOf returns whose build a path leads to, as its profile is named on Linux.
func vendorOf(path string) string {
	path = strings.ToLower(path)
	switch {
	case strings.Contains(path, "edge"):
		return "microsoft-edge"
	case strings.Contains(path, "chromium"), strings.Contains(path, "headless"):
		return "chromium"
	}
	return "google-chrome"
}
