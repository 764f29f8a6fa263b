package file_test

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
)

// A slow, obvious model of a file and of what ranks see of it, byte by byte.

// block is part of a tile, in etypes.
type block struct{ off, n, owner int }

// layout is a view for all ranks: the blocks of a tile belong to one rank each, or to none.
type layout struct {
	disp   int64
	etype  int // bytes
	blocks []block
	extent int // of a tile, in etypes
}

// seen is the offset in the file of each of the first bytes of a rank's view.
func (l *layout) seen(rank int, bytes int) []int64 {
	var all []int64
	for tile := 0; len(all) < bytes; tile++ {
		before := len(all)
		for _, b := range l.blocks {
			if b.owner != rank {
				continue
			}
			for i := range b.n * l.etype {
				all = append(all, l.disp+int64((tile*l.extent+b.off)*l.etype+i))
			}
		}
		if len(all) == before {
			return all
		}
	}
	return all[:bytes]
}

// types are the etype and the filetype of a rank.
func (l *layout) types(rank int) (etype, filetype *datatype.Type, err error) {
	if etype, err = datatype.Contiguous(int64(l.etype), datatype.Raw(0, 0).Type, false); err != nil {
		return nil, nil, err
	}
	var n, displs []int64
	for _, b := range l.blocks {
		if b.owner == rank {
			n, displs = append(n, int64(b.n)), append(displs, int64(b.off))
		}
	}
	cut, err := datatype.Indexed(n, displs, etype, false)
	if err != nil {
		return nil, nil, err
	}
	filetype, err = datatype.Resized(cut, 0, int64(l.extent*l.etype), false)
	if err == nil {
		etype.Commit()
		filetype.Commit()
	}
	return etype, filetype, err
}

// show sets the view of a rank, in a representation.
func (l *layout) show(f *file.File, rank int, rep *file.Representation) error {
	etype, filetype, err := l.types(rank)
	if err != nil {
		return err
	}
	return f.SetView(l.disp, etype, filetype, rep, nil, nil)
}

// model is the file, and where the ranks are in it.
type model struct {
	content []byte
	layout  *layout
	pos     []int // individual pointers, in etypes
	shared  int
}

// access reads or writes n etypes of a rank's view from etype at on. It returns what was read.
func (m *model) access(rank, at, n int, data []byte) []byte {
	unit := m.layout.etype
	where := m.layout.seen(rank, (at+n)*unit)[at*unit:]
	if data != nil {
		for i, off := range where {
			for int64(len(m.content)) <= off {
				m.content = append(m.content, 0)
			}
			m.content[off] = data[i]
		}
		return nil
	}
	var read []byte
	for _, off := range where {
		if off >= int64(len(m.content)) {
			break
		}
		read = append(read, m.content[off])
	}
	return read
}

func (m *model) resize(n int) {
	for len(m.content) < n {
		m.content = append(m.content, 0)
	}
	m.content = m.content[:n]
}
