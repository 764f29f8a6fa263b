package main

import (
	"archive/tar"
	"compress/flate"
	"compress/gzip"
	"io"
	"os"
	"path"
	"slices"
)

// level is how hard what can be compressed is.
func (p product) level() int {
	if p.plain {
		return flate.NoCompression
	}
	return flate.BestCompression
}

// writeTarball packs the whole tree. It runs where it is unpacked: its programs find everything from their
// own places.
func writeTarball(p product, t tree) error {
	top := "gompi-" + p.version + "-linux-" + machine(t.arch)
	out, err := p.file(top + ".tar.gz")
	if err != nil {
		return err
	}
	defer out.Close()
	zip, err := gzip.NewWriterLevel(out, p.level())
	if err != nil {
		return err
	}
	w := tar.NewWriter(zip)
	made := map[string]bool{}
	for _, f := range t.files {
		for _, folder := range folders(top + "/" + f.name) {
			if made[folder] {
				continue
			}
			made[folder] = true
			header := &tar.Header{Typeflag: tar.TypeDir, Name: folder + "/", Mode: 0o755, ModTime: p.date}
			if err := w.WriteHeader(header); err != nil {
				return err
			}
		}
		if err := pack(w, p, t, f, top+"/"+f.name); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return out.Close()
}

// folders are those above a file, the outermost first.
func folders(name string) []string {
	var all []string
	for name = path.Dir(name); name != "."; name = path.Dir(name) {
		all = append(all, name)
	}
	slices.Reverse(all)
	return all
}

func pack(w *tar.Writer, p product, t tree, f file, name string) error {
	header := &tar.Header{Name: name, ModTime: p.date, Mode: int64(f.mode)}
	if f.target != "" {
		header.Typeflag, header.Linkname, header.Mode = tar.TypeSymlink, f.target, 0o777
		return w.WriteHeader(header)
	}
	source, err := os.Open(t.path(f))
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	header.Typeflag, header.Size = tar.TypeReg, info.Size()
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.Copy(w, source)
	return err
}
