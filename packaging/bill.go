package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The bill of materials says which modules, and which version of Go, are in each program and library. They
// carry that themselves (`go version -m`); here it has the form of SPDX 2.3.

type spdxDocument struct {
	Version       string             `json:"spdxVersion"`
	License       string             `json:"dataLicense"`
	ID            string             `json:"SPDXID"`
	Name          string             `json:"name"`
	Namespace     string             `json:"documentNamespace"`
	Creation      spdxCreation       `json:"creationInfo"`
	Packages      []spdxPackage      `json:"packages"`
	Files         []spdxFile         `json:"files"`
	Relationships []spdxRelationship `json:"relationships"`
}

type spdxCreation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID         string          `json:"SPDXID"`
	Name       string          `json:"name"`
	Version    string          `json:"versionInfo"`
	Location   string          `json:"downloadLocation"`
	Analyzed   bool            `json:"filesAnalyzed"`
	Declared   string          `json:"licenseDeclared"`
	Concluded  string          `json:"licenseConcluded"`
	Copyright  string          `json:"copyrightText"`
	References []spdxReference `json:"externalRefs,omitempty"`
}

type spdxReference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type spdxFile struct {
	ID        string         `json:"SPDXID"`
	Name      string         `json:"fileName"`
	Checksums []spdxChecksum `json:"checksums"`
	Concluded string         `json:"licenseConcluded"`
	Copyright string         `json:"copyrightText"`
}

type spdxChecksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type spdxRelationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

const noAssertion = "NOASSERTION"

// notInID is what an identifier of SPDX cannot have.
var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func spdxID(words ...string) string {
	return "SPDXRef-" + notInID.ReplaceAllString(strings.Join(words, "-"), "-")
}

// module is the package of a module at a version, "std" for Go's own.
func module(name, version, license string) spdxPackage {
	p := spdxPackage{ID: spdxID("module", name, version), Name: name, Version: version, Location: noAssertion,
		Declared: license, Concluded: license, Copyright: noAssertion}
	p.References = []spdxReference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + name + "@" + version}}
	return p
}

// add puts in a program or library, with the modules that it says it has. Files without such a record are
// compiled from C of gompi alone.
func (d *spdxDocument) add(arch string, f file, at string) error {
	content, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	entry := spdxFile{ID: spdxID("file", arch, f.name), Name: "./" + arch + "/" + f.name, Concluded: "MIT",
		Copyright: noAssertion, Checksums: []spdxChecksum{{"SHA256", hex.EncodeToString(sum[:])}}}
	d.Files = append(d.Files, entry)
	d.relate(d.Packages[0].ID, "CONTAINS", entry.ID)
	build, err := buildinfo.ReadFile(at)
	if err != nil {
		return nil
	}
	used := []spdxPackage{module("std", build.GoVersion, "BSD-3-Clause")}
	for _, m := range build.Deps {
		used = append(used, modulePackage(m))
	}
	for _, m := range used {
		if !slices.ContainsFunc(d.Packages, func(p spdxPackage) bool { return p.ID == m.ID }) {
			d.Packages = append(d.Packages, m)
		}
		d.relate(entry.ID, "DEPENDS_ON", m.ID)
	}
	return nil
}

func modulePackage(m *debug.Module) spdxPackage {
	if m.Replace != nil {
		m = m.Replace
	}
	return module(m.Path, m.Version, noAssertion)
}

func (d *spdxDocument) relate(element, kind, related string) {
	d.Relationships = append(d.Relationships, spdxRelationship{element, kind, related})
}

// writeBill writes the bill of all trees.
func writeBill(p product, trees []tree) error {
	d := spdxDocument{Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: "gompi-" + p.version,
		Creation: spdxCreation{p.date.Format(time.RFC3339), []string{"Tool: gompi-packaging"}}}
	d.Packages = []spdxPackage{{ID: "SPDXRef-gompi", Name: "gompi", Version: p.version, Location: noAssertion,
		Declared: "MIT", Concluded: "MIT", Copyright: "The gompi authors"}}
	d.relate(d.ID, "DESCRIBES", "SPDXRef-gompi")
	for _, t := range trees {
		for _, f := range t.files {
			if folder := path.Dir(f.name); f.target != "" || folder != "bin" && folder != "lib" {
				continue
			}
			if err := d.add(t.arch, f, t.path(f)); err != nil {
				return err
			}
		}
	}
	sum := sha256.New()
	for _, f := range d.Files {
		fmt.Fprintln(sum, f.Name, f.Checksums[0].Value)
	}
	d.Namespace = "https://spdx.org/spdxdocs/gompi-" + p.version + "-" + hex.EncodeToString(sum.Sum(nil)[:16])
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	out, err := p.file("gompi-" + p.version + ".spdx.json")
	if err != nil {
		return err
	}
	if _, err := out.Write(append(text, '\n')); err != nil {
		return err
	}
	return out.Close()
}
