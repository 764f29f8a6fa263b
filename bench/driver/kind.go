package main

import (
	"fmt"
	"strings"
	"unicode"
)

// place says how the first two cores that a job uses lie to one another; "" where that is not known. Virtual
// machines do not say it, and it changes while they run.
type place string

const (
	near place = "near" // they share a cache
	far  place = "far"  // a line goes between them over a mesh, or between sockets
)

// nearBelow tells the two apart by the time of a cache line from one core to the other.
const nearBelow = 90 // ns

// farBelow is what no cache line takes on its way. Beyond it the two processes did not run at the same time.
const farBelow = 1000 // ns

func placeOf(cacheline float64) place {
	switch {
	case cacheline <= 0:
		return ""
	case cacheline < nearBelow:
		return near
	}
	return far
}

// kind is what figures are comparable within: processors of one model with as many cores in the same place.
func (m machine) kind() string {
	cores := "cores"
	if m.cores == 1 {
		cores = "core"
	}
	name := fmt.Sprintf("%s, %d %s", m.processor, m.cores, cores)
	if m.place != "" {
		name += ", " + string(m.place)
	}
	return name
}

// fileName is the kind in small letters and digits, joined by hyphens.
func (m machine) fileName() string {
	words := strings.FieldsFunc(strings.ToLower(m.kind()), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}

// modelName is the processor's name without its marks. A virtual machine may hide the model; then the numbers
// of the family tell the generations apart.
func modelName(name, family, model string) string {
	name, _, _ = strings.Cut(name, "@")
	name = strings.NewReplacer("(R)", "", "(TM)", "", "(r)", "", "(tm)", "", " CPU", "").Replace(name)
	name = strings.Join(strings.Fields(name), " ")
	if strings.ContainsFunc(name, unicode.IsDigit) || family == unknown {
		return name
	}
	return fmt.Sprintf("%s family %s model %s", name, family, model)
}
