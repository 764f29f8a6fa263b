package tool

import "testing"

// What a choice names exists.
func TestChoices(t *testing.T) {
	settings, variables := map[string]bool{}, map[string]bool{}
	for _, s := range All() {
		settings[s.Env] = true
	}
	for _, p := range Performances() {
		variables[p.Name] = true
	}
	for _, c := range Choices() {
		for _, name := range c.Settings {
			if !settings[name] {
				t.Errorf("%s: there is no setting %s", c.Name, name)
			}
		}
		for _, name := range c.Variables {
			if !variables[name] {
				t.Errorf("%s: MPI_T has no variable %s", c.Name, name)
			}
		}
	}
}
