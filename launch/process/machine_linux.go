package process

import "golang.org/x/sys/unix"

// Architecture is the name of this machine's, as uname -m tells it.
func Architecture() string {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return ""
	}
	return unix.ByteSliceToString(name.Machine[:])
}
