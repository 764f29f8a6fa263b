package boot

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"gompi/wire/pmi"
)

// store is what a launcher keeps for the ranks of a job that meet: values that one rank puts and others get.
type store interface {
	// put publishes a value without blanks; others see it after the next fence.
	put(key, value string) error
	// fence waits until all ranks of the job have called it.
	fence() error
	// get returns what rank from has put.
	get(from int, key string) (string, error)
	// room is how many bytes a value under this key may have.
	room(key string) int
}

// longestValue is the longest value in bytes that is put by PMI 1.1: a server of Slurm's takes no request
// that is longer than one read of its.
const longestValue = 900

// kvs is the store of a launcher that speaks PMI 1.1.
type kvs struct {
	*client
	name string
}

func (k kvs) message(key, value string) pmi.Message {
	return pmi.New("put", "kvsname", k.name, "key", key, "value", value)
}

func (k kvs) put(key, value string) error {
	_, err := k.request(k.message(key, value), "put_result")
	return err
}

func (k kvs) fence() error {
	_, err := k.request(pmi.New("barrier_in"), "barrier_out")
	return err
}

func (k kvs) get(_ int, key string) (string, error) {
	return k.word(pmi.New("get", "kvsname", k.name, "key", key), "get_result", "value")
}

func (k kvs) room(key string) int {
	m := k.message(key, "")
	line, err := m.Append(nil)
	if err != nil {
		return 0
	}
	return min(longestValue, pmi.MaxLine-len(line))
}

// Texts of any length go in as many values as they take, "KEY-0", "KEY-1" and so on: their size in bytes and
// the bytes themselves, in letters that every launcher carries.
var letters = base64.RawURLEncoding

// maxText bounds the size that such a text may claim to have.
const maxText = 64 << 20

// putText publishes a text.
func putText(s store, key string, text []byte) error {
	whole := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
	for k := 0; len(whole) > 0; k++ {
		piece := key + "-" + strconv.Itoa(k)
		n := min(letters.DecodedLen(s.room(piece)), len(whole))
		if n <= 0 {
			return fmt.Errorf("the launcher has no room for a value under the key %s", piece)
		}
		if err := s.put(piece, letters.EncodeToString(whole[:n])); err != nil {
			return err
		}
		whole = whole[n:]
	}
	return nil
}

// getText returns what putText has published.
func getText(s store, from int, key string) ([]byte, error) {
	var whole []byte
	for k := 0; ; k++ {
		piece := key + "-" + strconv.Itoa(k)
		value, err := s.get(from, piece)
		if err != nil {
			return nil, err
		}
		bytes, err := letters.DecodeString(value)
		if err != nil || len(bytes) == 0 {
			return nil, fmt.Errorf("the value of %s is not what a rank has put there: %q", piece, short(value))
		}
		whole = append(whole, bytes...)
		size, n := binary.Uvarint(whole)
		if n < 0 || size > maxText {
			return nil, fmt.Errorf("the value of %s claims too many bytes", piece)
		}
		if n > 0 && uint64(len(whole)-n) >= size {
			if uint64(len(whole)-n) > size {
				return nil, fmt.Errorf("the value of %s has more bytes than it claims", piece)
			}
			return whole[n:], nil
		}
	}
}

// errNoStore is the error of those who need a launcher's store where there is none.
var errNoStore = errors.New("the launcher that started this job keeps no values for its ranks")
