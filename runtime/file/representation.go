package file

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// Data representations (MPI 5.0, 14.5).

// Conversion is a data representation other than that of memory.
type Conversion interface {
	// Extent is how many bytes an element of a predefined type takes in the file.
	Extent(t *datatype.Type) (int64, error)
	// ToFile converts all basic elements of a buffer to the file's form, one behind the other.
	ToFile(b datatype.Buffer, to []byte) error
	// FromFile converts the first basic elements of a buffer from the file's form.
	FromFile(b datatype.Buffer, elements int64, from []byte) error
}

// Representation is a data representation by its name.
type Representation struct {
	Name       string
	conversion Conversion // nil where a file holds what memory does
	foreign    bool       // conversion calls functions of the program's
}

// The representations that are always there. This machine's own is what "internal" means as well.
func predefinedRepresentations() []*Representation {
	return []*Representation{native, {Name: "internal"}, {Name: "external32", conversion: external{}}}
}

var native = &Representation{Name: "native"}

// NewRepresentation is a data representation of the program's.
func NewRepresentation(name string, c Conversion) *Representation {
	return &Representation{Name: name, conversion: c, foreign: true}
}

func (r *Representation) converts() bool { return r.conversion != nil }

// layout is the type as it lies in the file.
func (r *Representation) layout(t *datatype.Type) (*datatype.Type, error) {
	if r.conversion == nil {
		return t, nil
	}
	return datatype.Relaid(t, r.conversion.Extent)
}

// external is the representation "external32" (MPI 5.0, 14.5.2).
type external struct{}

func (external) Extent(t *datatype.Type) (int64, error) { return t.ExternalSize(), nil }

func (external) ToFile(b datatype.Buffer, to []byte) error {
	b.PackExternal(to)
	return nil
}

func (external) FromFile(b datatype.Buffer, _ int64, from []byte) error {
	b.UnpackExternal(from)
	return nil
}

// converted carries out an access whose data changes its form on the way, and returns how many bytes of
// memory it has moved. It takes part in what the ranks do together even if the conversion fails.
func (s *storage) converted(p *prepared, a *access, how func(*access) (int64, error)) (int64, error) {
	c := p.view.rep.conversion
	room, none := s.scratch.Try(p.n)
	if none != nil {
		a.err = mpierr.Memory(none)
		return how(a)
	}
	defer s.scratch.Put(room)
	mem := memory(room.Address(), p.n)
	a.buf = datatype.Raw(room.Address(), p.n)
	if p.dir == Write && p.n > 0 {
		a.err = conversionError(guarded(func() error { return c.ToFile(p.buf, mem) }))
	}
	n, err := how(a)
	elements, bytes, e := p.buf.Prefix(n, c.Extent)
	if e != nil && err == nil {
		err = e
	}
	if p.dir == Read && n > 0 {
		e := conversionError(guarded(func() error { return c.FromFile(p.buf, elements, mem[:n]) }))
		if e != nil {
			return 0, e
		}
	}
	return bytes, err
}

// conversionError is what a call returns when a conversion has failed.
func conversionError(err error) error {
	if err == nil || mpierr.CodeOf(err) != int(mpierr.ErrIntern) {
		return err
	}
	return mpierr.New(mpierr.ErrConversion, "%v", err)
}

// Representations are those that a process knows, by name.
type Representations struct{ all map[string]*Representation }

// Add makes a representation known.
func (r *Representations) Add(n *Representation) error {
	if r.Find(n.Name) != nil {
		return mpierr.New(mpierr.ErrDupDatarep, "datarep %q is there already", n.Name)
	}
	r.all[n.Name] = n
	return nil
}

// Find is the representation of a name, nil when there is none.
func (r *Representations) Find(name string) *Representation {
	if r.all == nil {
		r.all = map[string]*Representation{}
		for _, p := range predefinedRepresentations() {
			r.all[p.Name] = p
		}
	}
	return r.all[name]
}
