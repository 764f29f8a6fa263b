package process

import "strings"

// Variable is the value of an environment variable, "" when there is none.
func Variable(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name); ok && strings.HasPrefix(v, "=") {
			return v[1:]
		}
	}
	return ""
}

// SetVariable is an environment with one variable set.
func SetVariable(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, v := range env {
		if !strings.HasPrefix(v, name+"=") {
			out = append(out, v)
		}
	}
	return append(out, name+"="+value)
}

// Without is an environment without a variable.
func Without(env []string, name string) []string {
	kept := make([]string, 0, len(env)+1)
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			kept = append(kept, e)
		}
	}
	return kept
}
