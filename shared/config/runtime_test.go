package config

import (
	"fmt"
	"testing"
)

// What the environment says of the function's runtime is known as addresses, in each form
// that AWS writes it in.
func TestRuntimeEndpoints(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "[]"},
		{map[string]string{"AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001"}, "[127.0.0.1:9001]"},
		{map[string]string{"AWS_LAMBDA_RUNTIME_API": "169.254.100.1:9001", "AWS_XRAY_DAEMON_ADDRESS": "169.254.100.1:2000"}, "[169.254.100.1:9001 169.254.100.1:2000]"},
		{map[string]string{"AWS_XRAY_DAEMON_ADDRESS": "tcp:127.0.0.1:2000 udp:127.0.0.2:2001"}, "[127.0.0.1:2000 127.0.0.2:2001]"},
		{map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials"}, "[169.254.170.23:80]"},
		{map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://[::1]:2112/creds"}, "[[::1]:2112]"},
		{map[string]string{"AWS_LAMBDA_RUNTIME_API": "no address"}, "[]"},
	} {
		got := runtimeEndpoints(func(name string) string { return c.env[name] })
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("%v: %s, want %s", c.env, s, c.want)
		}
		loaded, err := known.Load(func(name string) string { return c.env[name] }, t.TempDir())
		if err != nil || fmt.Sprint(loaded.Runtime) != c.want {
			t.Errorf("%v: the settings hold %v: %v", c.env, loaded.Runtime, err)
		}
	}
}
