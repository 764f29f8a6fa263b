package mpi

import (
	"sync"

	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// Enumerations and categories of the tool interface (MPI 5.0, 15.3.5 and 15.3.10).

// enums are the handles of enumerations, which live for ever.
var enums struct {
	mu      sync.Mutex
	handles map[*tool.Enum]uintptr
}

func enumHandle(e *tool.Enum) uintptr {
	if e == nil {
		return 0
	}
	enums.mu.Lock()
	defer enums.mu.Unlock()
	if enums.handles == nil {
		enums.handles = map[*tool.Enum]uintptr{}
	}
	h := enums.handles[e]
	if h == 0 {
		h = host.Save(e)
		enums.handles[e] = h
	}
	return h
}

func lookupEnum(h uintptr) (*tool.Enum, error) {
	if err := toolReady(); err != nil {
		return nil, err
	}
	if e := restored[tool.Enum](h); e != nil {
		return e, nil
	}
	return nil, badHandle(mpierr.TErrInvalidHandle, "enumtype", h, "an enumeration")
}

func TEnumGetInfo(h uintptr, name CharArray, nameLen IntCell) (num int, err error) {
	e, err := lookupEnum(h)
	if err != nil {
		return 0, err
	}
	putString(name, nameLen, e.Name)
	return len(e.Items), nil
}

func TEnumGetItem(h uintptr, index int, name CharArray, nameLen IntCell) (value int, err error) {
	e, err := lookupEnum(h)
	if err != nil {
		return 0, err
	}
	if index < 0 || index >= len(e.Items) {
		return 0, mpierr.New(mpierr.TErrInvalidItem, "enumeration %s has no item %d; it has %d", e.Name, index, len(e.Items))
	}
	putString(name, nameLen, e.Items[index])
	return index, nil
}

// members are the indices of a category's elements in the list of all.
func members[T any](list []T, index int, category func(*T) string) ([]int, error) {
	all := tool.Categories()
	c, err := listed(all, index, "category")
	if err != nil {
		return nil, err
	}
	var at []int
	for i := range list {
		if category(&list[i]) == c.Name {
			at = append(at, i)
		}
	}
	return at, nil
}

func controlsOf(index int) ([]int, error) {
	return members(controlVariables(), index, func(c *tool.Control) string { return c.Category })
}

func performancesOf(index int) ([]int, error) {
	return members(performanceVariables(), index, func(p *tool.Performance) string { return p.Category })
}

func eventsOf(index int) ([]int, error) {
	return members(tool.Events(), index, func(e *tool.Event) string { return e.Category })
}

// categoriesOf are the categories within one: all others are within the first.
func categoriesOf(index int) ([]int, error) {
	all := tool.Categories()
	if _, err := listed(all, index, "category"); err != nil || index > 0 {
		return nil, err
	}
	at := make([]int, 0, len(all)-1)
	for i := 1; i < len(all); i++ {
		at = append(at, i)
	}
	return at, nil
}

func TCategoryGetNum() (int, error) { return len(tool.Categories()), toolReady() }

func TCategoryGetIndex(name string) (int, error) {
	return indexOf(tool.Categories(), name, "category", func(c *tool.Category) bool { return c.Name == name })
}

func TCategoryGetInfo(index int, name CharArray, nameLen IntCell, desc CharArray,
	descLen IntCell) (controls, performances, categories int, err error) {
	c, err := listed(tool.Categories(), index, "category")
	if err != nil {
		return 0, 0, 0, err
	}
	putString(name, nameLen, c.Name)
	putString(desc, descLen, c.Help)
	at, _ := controlsOf(index)
	variables, _ := performancesOf(index)
	inner, _ := categoriesOf(index)
	return len(at), len(variables), len(inner), nil
}

func TCategoryGetNumEvents(index int) (int, error) {
	at, err := eventsOf(index)
	return len(at), err
}

// putIndices writes as many indices as there is room for.
func putIndices(to IntArray, room int, at []int, err error) error {
	for i := 0; err == nil && i < min(room, len(at)); i++ {
		to.set(i, int64(at[i]))
	}
	return err
}

func TCategoryGetCvars(index, room int, indices IntArray) error {
	at, err := controlsOf(index)
	return putIndices(indices, room, at, err)
}

func TCategoryGetPvars(index, room int, indices IntArray) error {
	at, err := performancesOf(index)
	return putIndices(indices, room, at, err)
}

func TCategoryGetEvents(index, room int, indices IntArray) error {
	at, err := eventsOf(index)
	return putIndices(indices, room, at, err)
}

func TCategoryGetCategories(index, room int, indices IntArray) error {
	at, err := categoriesOf(index)
	return putIndices(indices, room, at, err)
}

// TCategoryChanged tells a number that grows with each change of the categories, which never change.
func TCategoryChanged() (int, error) { return 1, toolReady() }
