package safehttp

import (
	"net/netip"
	"strings"
	"testing"
)

// Each list is checked as a whole: address, then what it is an example of.
const publicAddresses = `
1.0.0.0 first after this network
1.1.1.1 resolver
8.8.8.8 resolver
9.255.255.255 last before 10/8
11.0.0.0 first after 10/8
93.184.216.34 web site
100.63.255.255 last before shared
100.128.0.0 first after shared
126.255.255.255 last before loopback
128.0.0.0 first after loopback
151.101.1.69 web site
168.63.129.15 beside metadata
168.63.129.17 beside metadata
169.253.255.255 last before link-local
169.255.0.0 first after link-local
172.15.255.255 last before 172.16/12
172.32.0.0 first after 172.16/12
185.199.108.153 web site
191.255.255.255 last before 192/8
192.0.1.0 after protocol assignments
192.0.3.0 after documentation
192.31.195.255 before AS112
192.31.197.0 after AS112
192.52.192.255 before AMT
192.52.194.0 after AMT
192.88.98.255 before 6to4 relay
192.88.100.0 after 6to4 relay
192.167.255.255 last before 192.168/16
192.169.0.0 first after 192.168/16
192.175.47.255 before AS112
192.175.49.0 after AS112
198.17.255.255 last before benchmarking
198.20.0.0 first after benchmarking
198.51.99.255 before documentation
198.51.101.0 after documentation
203.0.112.255 before documentation
203.0.114.0 after documentation
208.80.154.224 web site
223.255.255.255 last before multicast
2000::1 first of global unicast
2001:200::1 first after protocol assignments
2001:4860:4860::8888 resolver
2001:db7:ffff::1 before documentation
2001:db9::1 after documentation
2003::1 after 6to4
2400:cb00:2048:1::6814:155 web site
2600:1f18::1 cloud
2606:4700:4700::1111 resolver
2606:2800:220:1:248:1893:25c8:1946 web site
2620:4f:7fff::1 before AS112
2620:4f:8001::1 after AS112
2620:0:861:ed1a::1 web site
2a00:1450:4001:80b::200e web site
2a03:2880:f12f:83:face:b00c:0:25de web site
2c0f:fb50:4003::1 web site
3ffe::1 returned 6bone
3fff:1000::1 after documentation
::ffff:8.8.8.8 v4-mapped
::ffff:93.184.216.34 v4-mapped
64:ff9b::8.8.8.8 NAT64
64:ff9b::5db8:d822 NAT64
`

const privateAddresses = `
10.0.0.0 10/8
10.0.0.1 10/8
10.255.255.255 10/8
100.64.0.0 shared
100.100.100.199 shared, beside metadata
100.100.100.201 shared, beside metadata
100.127.255.255 shared
127.0.0.0 loopback
127.0.0.1 loopback
127.0.0.53 loopback
127.1.2.3 loopback
127.255.255.255 loopback
172.16.0.0 172.16/12
172.17.0.1 container bridge
172.31.255.255 172.16/12
192.168.0.0 192.168/16
192.168.1.1 router
192.168.255.255 192.168/16
::1 loopback
::ffff:127.0.0.1 v4-mapped loopback
::ffff:10.0.0.1 v4-mapped
::ffff:192.168.0.1 v4-mapped
::ffff:7f00:1 v4-mapped loopback
64:ff9b::127.0.0.1 NAT64
64:ff9b::10.1.2.3 NAT64
64:ff9b::c0a8:101 NAT64
fc00::1 unique local
fd00::1 unique local
fd00:42::41 unique local, beside metadata
fd00:ec1:ffff::1 unique local, before metadata
fd00:ec3::1 unique local, after metadata
fd12:3456:789a::1 unique local
fd20:cd::254 unique local, before metadata
fd20:cf::254 unique local, after metadata
fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff unique local
`

const closedAddresses = `
169.254.169.254 metadata of most clouds
169.254.170.2 metadata of containers
169.254.170.23 metadata of pods
169.254.0.23 metadata
169.254.169.253 cloud resolver
168.63.129.16 metadata
100.100.100.200 metadata
192.0.0.192 metadata
fd00:ec2::254 metadata
fd00:ec2::23 metadata of pods
fd00:ec2::253 cloud resolver
fd00:ec2:ffff::1 metadata range
fd20:ce::254 metadata
fd00:42::42 metadata
fd00:c1::a9fe:a9fe metadata
fe80::a9fe:a9fe metadata
::ffff:169.254.169.254 v4-mapped metadata
::ffff:a9fe:a9fe v4-mapped metadata
::ffff:168.63.129.16 v4-mapped metadata
::ffff:100.100.100.200 v4-mapped metadata
64:ff9b::169.254.169.254 NAT64 metadata
64:ff9b::a9fe:a9fe NAT64 metadata
64:ff9b::0.0.0.0 NAT64 of nothing
64:ff9b::255.255.255.255 NAT64 broadcast
64:ff9b:1::1 local NAT64
64:ff9b:1::a9fe:a9fe local NAT64
64:ff9b:2::808:808 not NAT64
64:ff9b::1:808:808 not NAT64
0.0.0.0 this host
0.0.0.1 this network
0.255.255.255 this network
169.254.0.0 link-local
169.254.1.1 link-local
169.254.255.255 link-local
192.0.0.0 protocol assignment
192.0.0.8 protocol assignment
192.0.0.9 anycast
192.0.0.10 anycast
192.0.0.170 NAT64 discovery
192.0.0.255 protocol assignment
192.0.2.0 documentation
192.0.2.255 documentation
192.31.196.1 AS112
192.52.193.1 AMT
192.88.99.1 6to4 relay
192.88.99.2 6to4 relay
192.175.48.6 AS112
198.18.0.0 benchmarking
198.19.255.255 benchmarking
198.51.100.0 documentation
198.51.100.255 documentation
203.0.113.0 documentation
203.0.113.255 documentation
224.0.0.1 multicast
224.0.0.251 multicast
239.255.255.250 multicast
239.255.255.255 multicast
240.0.0.0 reserved
240.0.0.1 reserved
254.255.255.255 reserved
255.255.255.254 reserved
255.255.255.255 broadcast
:: unspecified
::2 not assigned
::7f00:1 v4-compatible
::127.0.0.1 v4-compatible
::8.8.8.8 v4-compatible
::169.254.169.254 v4-compatible
::ffff:0.0.0.0 v4-mapped
::ffff:0:8.8.8.8 v4-translated
::ffff:0:127.0.0.1 v4-translated
::ffff:192.0.2.1 v4-mapped documentation
::ffff:224.0.0.1 v4-mapped multicast
::fffe:7f00:1 not mapped
100::1 discard
100:0:0:1::1 dummy prefix
200::1 NSAP
400::1 not assigned
1000::1 not assigned
1fff:ffff::1 last before global unicast
2001::1 Teredo
2001:0:53aa:64c:0:3f57:f5ff:fffe Teredo
2001:0:a9fe:a9fe::1 Teredo
2001:1::1 anycast
2001:1::2 anycast
2001:1::3 anycast
2001:2::1 benchmarking
2001:3::1 AMT
2001:4:112::1 AS112
2001:10::1 ORCHID
2001:20::1 ORCHIDv2
2001:2f:ffff::1 ORCHIDv2
2001:30::1 remote ID
2001:1ff:ffff::1 last of protocol assignments
2001:db8::1 documentation
2001:db8:ffff:ffff::1 documentation
2002::1 6to4
2002:7f00:1::1 6to4 loopback
2002:a9fe:a9fe::1 6to4 metadata
2002:808:808::1 6to4
2002:ffff:ffff::1 6to4
2620:4f:8000::1 AS112
3fff::1 documentation
3fff:fff:ffff::1 documentation
4000::1 first after global unicast
5f00::1 segment routing
6000::1 not assigned
8000::1 not assigned
c000::1 not assigned
e000::1 not assigned
f000::1 not assigned
fb00::1 last before unique local
fe00::1 not assigned
fe7f::1 last before link-local
fe80::1 link-local
fe80::1%eth0 link-local with zone
febf::1 link-local
fec0::1 site-local
feff::1 site-local
ff00::1 multicast
ff02::1 multicast
ff02::fb multicast
ff0e::1 multicast
ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff multicast
2606:4700::1%eth0 public with zone
`

func TestAddresses(t *testing.T) {
	total := 0
	for want, list := range map[reach]string{public: publicAddresses, private: privateAddresses,
		closed: closedAddresses} {
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			total++
			text, what, _ := strings.Cut(line, " ")
			a, err := netip.ParseAddr(text)
			if err != nil {
				t.Fatalf("%s: %v; want err == nil", line, err)
			}
			got, name := classify(a)
			if got != want {
				t.Errorf("%s (%s) is %d (%s), want %d", text, what, got, name, want)
			}
			if (name == "") != (got == public) {
				t.Errorf("%s: class %d with the name %q", text, got, name)
			}
			if open := admit(a, false) == nil; open != (want == public) {
				t.Errorf("%s (%s): may be dialled is %v", text, what, open)
			}
			if open := admit(a, true) == nil; open != (want != closed) {
				t.Errorf("%s (%s): may be dialled with private addresses open is %v", text, what, open)
			}
		}
	}
	if total < 150 {
		t.Errorf("only %d addresses", total)
	}
	if admit(netip.Addr{}, true) == nil {
		t.Error("no address may be dialled")
	}
}

// What a v4 address is, it is in every form in which it is really reached.
func FuzzEmbeddedAddresses(f *testing.F) {
	for _, s := range []uint32{0, 0x7f000001, 0xa9fea9fe, 0x08080808, 0xc0a80001, 0xffffffff} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, n uint32) {
		v4 := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		want, _ := classify(v4)
		mapped := netip.AddrFrom16(v4.As16())
		b := v4.As16()
		copy(b[:12], []byte{0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})
		for _, a := range []netip.Addr{mapped, netip.AddrFrom16(b)} {
			if got, name := classify(a); got != want {
				t.Errorf("%s is %d (%s), %s is %d", a, got, name, v4, want)
			}
		}
	})
}

func TestClosedHosts(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": true, "10.1.1.1": true, "[::1]": true, "[fd00::1]": true, "[::ffff:10.0.0.1]": true, "100.64.0.1": true, "169.254.169.254": true,
		"0.0.0.0": true, "198.18.0.1": true, "[64:ff9b::7f00:1]": true, "localhost": true, "x.localhost": true, "printer.local": true, "metadata.google.internal": true, "intranet": true,
		"8.8.8.8": false, "[2001:4860:4860::8888]": false, "local.example": false, "internal.example.com": false} {
		if Closed(host, false) != want {
			t.Errorf("%s is closed: %v", host, !want)
		}
	}
	for host, want := range map[string]bool{"127.0.0.1": false, "printer.local": false, "intranet": false, "169.254.169.254": true, "198.18.0.1": true} {
		if Closed(host, true) != want {
			t.Errorf("where private addresses are open %s is closed: %v", host, !want)
		}
	}
}

// What AllowPrivate opens is told from what it does not open, and from what is open anyway.
func TestOpenableHosts(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": true, "10.1.1.1": true, "100.64.0.1": true, "[::ffff:10.0.0.1]": true, "[fd12:3456:789a::1]": true, "localhost": true,
		"intranet": true, "169.254.1.1": false, "[fe80::1]": false, "169.254.169.254": false, "8.8.8.8": false, "example.org": false} {
		if Openable(host) != want {
			t.Errorf("%s is openable: %v", host, !want)
		}
	}
}

// The step that opens private addresses is offered where it may open one.
func TestStepsToOpen(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": true, "[::1]": true, "10.1.2.3": true, "100.64.0.1": true,
		"localhost": true, "intranet.example": true, "169.254.169.254": false, "0.0.0.0": false, "[fe80::1]": false} {
		if (len(StepsToOpen(host)) == 1) != want {
			t.Errorf("%s: %v, want %v", host, !want, want)
		}
	}
}
