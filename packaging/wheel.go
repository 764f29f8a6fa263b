package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// A wheel puts the tree into the environment of Python that it is installed into: commands into bin,
// libraries into lib, where mpi4py looks for libmpi_abi.so.1. It can hold no links. So a library is there
// under the name that programs know, the linker's name of it is a library of names alone (scripts/link-stub),
// and a further name of a command is a script.

//go:embed python/*.py python/README.md
var python embed.FS

// oldestGlibc is that of the wheel's tag and of the packages' dependences; tests hold it.
const oldestGlibc = "2.17"

// The tags of what runs with that glibc; the second is an older name of the same.
func wheelTag(arch string) string {
	tag := "manylinux_" + strings.ReplaceAll(oldestGlibc, ".", "_") + "_" + machine(arch)
	return "py3-none-" + tag + ".manylinux2014_" + machine(arch)
}

// A wheel is one that is being written.
type wheel struct {
	product
	zip    *zip.Writer
	record strings.Builder
}

func writeWheel(p product, t tree) error {
	stem := "gompi-" + p.version
	out, err := p.file(stem + "-" + wheelTag(t.arch) + ".whl")
	if err != nil {
		return err
	}
	defer out.Close()
	w := &wheel{product: p, zip: zip.NewWriter(out)}
	w.zip.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, p.level())
	})
	for _, write := range []func(tree) error{w.module, w.tree} {
		if err := write(t); err != nil {
			return err
		}
	}
	if err := w.metadata(t, stem+".dist-info/"); err != nil {
		return err
	}
	if err := w.zip.Close(); err != nil {
		return err
	}
	return out.Close()
}

// add writes a file and its line in the record.
func (w *wheel) add(name string, content []byte, mode fs.FileMode) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.date}
	header.SetMode(mode)
	f, err := w.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
	_, err = f.Write(content)
	return err
}

// module writes the package that Python imports.
func (w *wheel) module(tree) error {
	entries, err := python.ReadDir("python")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".py" {
			continue
		}
		text, err := python.ReadFile("python/" + entry.Name())
		if err != nil {
			return err
		}
		if err := w.add("gompi/"+entry.Name(), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// tree writes what belongs into the environment.
func (w *wheel) tree(t tree) error {
	data := "gompi-" + w.version + ".data/"
	for _, f := range t.files {
		folder, name := path.Split(f.name)
		to := data + "data/" + f.name
		switch {
		case f.part == manual || f.name == "lib/libgompi.so":
			continue
		case folder == "bin/" && f.target == "":
			to = data + "scripts/" + name
		case f.target != "" && f.name != "lib/libmpi_abi.so.1" && f.name != "lib/libmpifort_abi.so" && f.name != "lib/libmpi_abi.so":
			continue
		}
		source := t.path(f)
		if f.name == "lib/libmpi_abi.so" {
			var err error
			if source, err = w.stub(t); err != nil {
				return err
			}
		}
		content, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		if err := w.add(to, content, f.mode&0o111|0o644); err != nil {
			return err
		}
	}
	return nil
}

// stub makes the library that linkers find under the name libmpi_abi.so.
func (p product) stub(t tree) (string, error) {
	output := filepath.Join(p.scratch, t.arch+".stub", "libmpi_abi.so")
	command := exec.Command(filepath.Join(p.sources, "scripts", "link-stub"), filepath.Join(t.root, "lib/libgompi.so"), output)
	command.Env = os.Environ()
	if prefix := machine(t.arch) + "-linux-gnu-"; exists(prefix + "gcc") {
		command.Env = append(command.Env, "CC="+prefix+"gcc", "NM="+prefix+"nm")
	}
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("scripts/link-stub: %w\n%s", err, said)
	}
	return output, nil
}

func exists(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// metadata writes what pip reads, and the record of everything at last.
func (w *wheel) metadata(t tree, folder string) error {
	readme, err := python.ReadFile("python/README.md")
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(w.sources, "LICENSE"))
	if err != nil {
		return err
	}
	about := "Metadata-Version: 2.1\nName: gompi\nVersion: " + w.version +
		"\nSummary: Message Passing Interface with the standard's ABI: libmpi_abi.so.1, mpiexec, mpicc\n" +
		"License: MIT\nRequires-Python: >=3.8\nClassifier: License :: OSI Approved :: MIT License\n" +
		"Classifier: Operating System :: POSIX :: Linux\nClassifier: Topic :: Scientific/Engineering\n" +
		"Description-Content-Type: text/markdown\n\n" + string(readme)
	var form bytes.Buffer
	form.WriteString("Wheel-Version: 1.0\nGenerator: gompi\nRoot-Is-Purelib: false\n")
	tag, platforms, _ := strings.Cut(strings.TrimPrefix(wheelTag(t.arch), "py3-none-"), ".")
	for _, platform := range []string{tag, platforms} {
		form.WriteString("Tag: py3-none-" + platform + "\n")
	}
	entries := "[console_scripts]\n"
	for _, f := range t.files {
		switch {
		case !strings.HasPrefix(f.name, "bin/") || f.target == "":
		case f.isWrapper():
			entries += path.Base(f.name) + " = gompi.commands:compile\n"
		default:
			entries += path.Base(f.name) + " = gompi.commands:launch\n"
		}
	}
	for _, file := range []struct{ name, text string }{
		{"METADATA", about}, {"WHEEL", form.String()}, {"entry_points.txt", entries}, {"LICENSE", string(license)},
	} {
		if err := w.add(folder+file.name, []byte(file.text), 0o644); err != nil {
			return err
		}
	}
	w.record.WriteString(folder + "RECORD,,\n")
	header := &zip.FileHeader{Name: folder + "RECORD", Method: zip.Deflate, Modified: w.date}
	header.SetMode(0o644)
	f, err := w.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, w.record.String())
	return err
}
