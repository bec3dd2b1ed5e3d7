package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"

	"wstk/shared/wstk"
)

// crypt undoes the encryption of files that open without a password. Most encrypted files
// do: their encryption only says what the reader may not do.
type crypt struct {
	key     []byte
	streams method
	texts   method
}

type method int

const (
	plain method = iota
	rc4Cipher
	aes128
	aes256
)

// methods are the names of the methods of encryption; all others leave bytes as they are.
var methods = map[name]method{"V2": rc4Cipher, "AESV2": aes128, "AESV3": aes256}

// padding is what the format fills a short password with.
var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// decrypt makes ready to undo the encryption that a dictionary describes. A file that needs
// a password is UnsupportedMediaType.
func (f *File) decrypt(e dict) error {
	locked := wstk.Errorf(wstk.UnsupportedMediaType, "reading page",
		"the PDF is encrypted and needs a password").
		Try(wstk.Step{Do: wstk.DoExtractFile,
			For: "open it in a PDF viewer with its password, print it to a new PDF, then"})
	if f.value(e["Filter"]) != name("Standard") {
		return locked
	}
	c := &crypt{streams: rc4Cipher, texts: rc4Cipher}
	version := f.int(e["V"], 0)
	if version >= 4 {
		c.streams, c.texts = f.cryptMethod(e, "StmF"), f.cryptMethod(e, "StrF")
	}
	switch {
	case version == 5:
		c.key = f.hashedKey(e)
	case version >= 1 && version <= 4:
		c.key = f.paddedKey(e, version)
	}
	if c.key == nil {
		return locked
	}
	f.crypt = c
	return nil
}

// cryptMethod reads how streams or strings are encrypted.
func (f *File) cryptMethod(e dict, of string) method {
	filter, _ := f.value(e[of]).(name)
	m, _ := f.value(f.dict(f.dict(e["CF"])[string(filter)])["CFM"]).(name)
	return methods[m]
}

// bytes reads a string of a dictionary.
func (f *File) bytes(d dict, key string) []byte {
	s, _ := f.value(d[key]).(str)
	return []byte(s)
}

// hashedKey is the key of version 5 for an empty password; nil if that does not open the
// file.
func (f *File) hashedKey(e dict) []byte {
	revision := f.int(e["R"], 0)
	user, sealed := f.bytes(e, "U"), f.bytes(e, "UE")
	if len(user) < 48 || len(sealed) < 32 ||
		!bytes.Equal(hash5(nil, user[32:40], revision), user[:32]) {
		return nil
	}
	block, err := aes.NewCipher(hash5(nil, user[40:48], revision))
	if err != nil {
		return nil
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, 16)).CryptBlocks(key, sealed[:32])
	return key
}

// paddedKey is the key of versions 1 to 4 for an empty password; nil if that does not open
// the file.
func (f *File) paddedKey(e dict, version int) []byte {
	revision := f.int(e["R"], 0)
	owner, user := f.bytes(e, "O"), f.bytes(e, "U")
	if len(owner) < 32 || len(user) < 16 {
		return nil
	}
	var id []byte
	if ids := f.list(f.trailer["ID"]); len(ids) > 0 {
		s, _ := f.value(ids[0]).(str)
		id = []byte(s)
	}
	h := md5.New()
	h.Write(padding)
	h.Write(owner[:32])
	_ = binary.Write(h, binary.LittleEndian, uint32(int64(f.number(e["P"], 0))))
	h.Write(id)
	if revision >= 4 && f.value(e["EncryptMetadata"]) == false {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key, size := h.Sum(nil), f.keySize(e, version)
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key[:size])
			key = sum[:]
		}
	}
	c := &crypt{key: key[:size]}
	if !bytes.Equal(c.check(revision, id)[:16], user[:16]) {
		return nil
	}
	return c.key
}

// keySize is the size of the key of versions 1 to 4, in bytes.
func (f *File) keySize(e dict, version int) int {
	size := f.int(e["Length"], 40) / 8
	switch {
	case version == 4:
		return 16
	case version == 1 || size < 5 || size > 16:
		return 5
	}
	return size
}

// check is the value of U for an empty password.
func (c *crypt) check(r int, id []byte) []byte {
	out := bytes.Clone(padding)
	if r < 3 {
		rc4With(c.key, out)
		return out
	}
	sum := md5.Sum(append(bytes.Clone(padding), id...))
	out = sum[:]
	for i := range byte(20) {
		key := bytes.Clone(c.key)
		for k := range key {
			key[k] ^= i
		}
		rc4With(key, out)
	}
	return out
}

func rc4With(key, data []byte) {
	if c, err := rc4.NewCipher(key); err == nil {
		c.XORKeyStream(data, data)
	}
}

// hash5 is the hash of revisions 5 and 6 for a user's password.
func hash5(password, salt []byte, r int) []byte {
	sum := sha256.Sum256(append(bytes.Clone(password), salt...))
	k := sum[:]
	if r < 6 {
		return k
	}
	for round := 0; ; round++ {
		one := append(bytes.Clone(password), k...)
		data := bytes.Repeat(one, 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(data, data)
		mod := 0
		for _, b := range data[:16] {
			mod += int(b)
		}
		switch mod % 3 {
		case 0:
			s := sha256.Sum256(data)
			k = s[:]
		case 1:
			s := sha512.Sum384(data)
			k = s[:]
		default:
			s := sha512.Sum512(data)
			k = s[:]
		}
		if round >= 63 && int(data[len(data)-1]) <= round-32 {
			return k[:32]
		}
	}
}

func (c *crypt) stream(id ref, data []byte) []byte { return c.apply(c.streams, id, data) }

func (c *crypt) apply(m method, id ref, data []byte) []byte {
	if m == plain {
		return data
	}
	key := c.key
	if m != aes256 {
		k := append(bytes.Clone(c.key), byte(id.num), byte(id.num>>8), byte(id.num>>16),
			byte(id.gen), byte(id.gen>>8))
		if m == aes128 {
			k = append(k, "sAlT"...)
		}
		sum := md5.Sum(k)
		key = sum[:min(16, len(c.key)+5)]
	}
	if m == rc4Cipher {
		out := bytes.Clone(data)
		rc4With(key, out)
		return out
	}
	if len(data) < 32 {
		return nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	body := data[16 : len(data)-len(data)%16]
	out := make([]byte, len(body))
	cipher.NewCBCDecrypter(block, data[:16]).CryptBlocks(out, body)
	if n := int(out[len(out)-1]); n >= 1 && n <= 16 {
		out = out[:len(out)-n]
	}
	return out
}

// strings decrypts the strings of an object.
func (c *crypt) strings(f *File, num int, v any, depth int) any {
	if depth > maxNesting {
		return nil
	}
	switch v := v.(type) {
	case str:
		return str(c.apply(c.texts, ref{num: num}, []byte(v)))
	case array:
		for i := range v {
			v[i] = c.strings(f, num, v[i], depth+1)
		}
	case dict:
		for k := range v {
			v[k] = c.strings(f, num, v[k], depth+1)
		}
	case *stream:
		c.strings(f, num, v.dict, depth+1)
	}
	return v
}
