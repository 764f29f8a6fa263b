package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
)

// loadPGM reads a grey picture in the binary PGM format (P5) with values of one
// byte.
func loadPGM(path string) (*image.Gray, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	picture, err := decodePGM(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return picture, nil
}

func decodePGM(source io.Reader) (*image.Gray, error) {
	const maxSide = 1 << 15 // as heat2d has it
	in := bufio.NewReader(source)
	magic := make([]byte, 2)
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != "P5" {
		return nil, errors.New("not a binary PGM picture (P5)")
	}
	var header [3]int // width, height, brightest value
	for i := range header {
		n, err := headerNumber(in)
		if err != nil {
			return nil, err
		}
		header[i] = n
	}
	width, height, brightest := header[0], header[1], header[2]
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return nil, fmt.Errorf("size %d x %d is outside of 1 x 1 to %d x %d", width, height, maxSide, maxSide)
	}
	if brightest < 1 || brightest > 255 {
		return nil, fmt.Errorf("brightest value %d is outside of 1 to 255", brightest)
	}
	// No memory is taken on the word of the header alone.
	pixels, err := io.ReadAll(io.LimitReader(in, int64(width)*int64(height)))
	if err != nil || len(pixels) < width*height {
		return nil, errors.New("picture ends too early")
	}
	for i, v := range pixels {
		pixels[i] = uint8(min(int(v), brightest) * 255 / brightest)
	}
	return &image.Gray{Pix: pixels, Stride: width, Rect: image.Rect(0, 0, width, height)}, nil
}

// headerNumber reads a number, the white space and comments before it, and the
// single white-space character after it.
func headerNumber(in *bufio.Reader) (int, error) {
	n, digits := 0, 0
	for {
		c, err := in.ReadByte()
		if err != nil {
			return 0, errors.New("header ends too early")
		}
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
			if digits++; digits > 9 {
				return 0, errors.New("number in the header is too large")
			}
		case c == '#' && digits == 0:
			if _, err := in.ReadString('\n'); err != nil {
				return 0, errors.New("header ends too early")
			}
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if digits > 0 {
				return n, nil
			}
		default:
			return 0, fmt.Errorf("unexpected %q in the header", c)
		}
	}
}
