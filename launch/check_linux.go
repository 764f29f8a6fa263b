package launch

import (
	"errors"
	"fmt"
	"os"

	"gompi/launch/process"
)

// Check does of a job what comes ahead of its start: it finds the programs, and says what is wrong with
// them. It returns the exit code for the launcher.
func Check(spec *Spec) int {
	for i := range spec.Apps {
		app := &spec.Apps[i]
		_, err := app.Lookup()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", spec.Name, err)
			var e *process.StartError
			if errors.As(err, &e) {
				return e.Code
			}
			return process.ExitSetup
		}
	}
	return 0
}
