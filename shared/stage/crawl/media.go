package crawl

import (
	"strings"

	"wstk/shared/text"
)

// mediaExtensions are endings of files that hold no text to read. A link to one is
// out of scope; documents (.pdf, .docx), data (.json, .csv) and sources are not
// among them.
var mediaExtensions = text.WordSet(`
	png jpg jpeg jpe gif webp avif bmp ico cur svg svgz tif tiff heic heif jxl psd ai eps
	mp3 m4a aac ogg oga opus wav flac wma mid midi aiff mp4 m4v webm ogv mkv mov avi wmv
	flv mpg mpeg 3gp m3u8 css js mjs wasm woff woff2 ttf otf eot swf zip gz tgz bz2 tbz
	tbz2 xz txz zst lz lzma 7z rar tar jar war cab iso img dmg pkg deb rpm apk ipa msi exe
	dll so bin pyc whl egg gem crx xpi sig sha256 md5 torrent`)

// mediaExtension returns the ending of a path that is no page, "" for any other. A
// segment with a colon is a name and not a file: /wiki/File:Tree.jpg is a page.
func mediaExtension(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i > 8 || strings.IndexByte(name, ':') >= 0 ||
		strings.Contains(name, "%3A") {
		return ""
	}
	if ext := strings.ToLower(name[i+1:]); mediaExtensions[ext] {
		return ext
	}
	return ""
}

// mediaTypes are types of files that hold no page, by the same division as
// mediaExtensions, beside images, sounds, films and fonts.
var mediaTypes = text.WordSet(`
	text/css text/javascript application/javascript application/x-javascript
	application/ecmascript application/wasm application/octet-stream application/zip
	application/gzip application/x-gzip application/x-tar application/x-bzip2 application/x-xz
	application/x-7z-compressed application/x-rar-compressed application/vnd.rar
	application/java-archive application/x-iso9660-image application/x-msdownload
	application/vnd.debian.binary-package application/x-debian-package application/x-rpm
	application/font-woff application/font-woff2 application/x-font-ttf
	application/vnd.ms-fontobject application/x-shockwave-flash application/x-bittorrent
	application/pgp-signature`)

// notPage reports whether bytes of this media type hold no page.
func notPage(contentType string) bool {
	major, _, _ := strings.Cut(contentType, "/")
	switch major {
	case "image", "audio", "video", "font":
		return true
	}
	return mediaTypes[contentType]
}
