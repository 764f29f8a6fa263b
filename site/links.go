package main

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchored  = regexp.MustCompile(`\bid="([^"]*)"`)
)

// checkLinks finds the links of the site that lead to no file of it, or to no place in that file.
func checkLinks(files map[string][]byte) error {
	anchors := map[string]map[string]bool{}
	for name, content := range files {
		anchors[name] = map[string]bool{}
		for _, m := range anchored.FindAllSubmatch(content, -1) {
			anchors[name][string(m[1])] = true
		}
	}
	var dead []string
	for name, content := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range reference.FindAllSubmatch(content, -1) {
			target, anchor, _ := strings.Cut(string(m[1]), "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if _, ok := files[to]; !ok || anchor != "" && !anchors[to][anchor] {
				dead = append(dead, fmt.Sprintf("%s: the link to %s leads nowhere", name, m[1]))
			}
		}
	}
	slices.Sort(dead)
	if dead != nil {
		return errors.New(strings.Join(dead, "\n"))
	}
	return nil
}
