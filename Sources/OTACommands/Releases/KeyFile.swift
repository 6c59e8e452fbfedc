import Cryptography
import Problems

/// Reads a server's public key from a file.
enum KeyFile {
    /// - Throws: ``Problem`` for a file without a public key.
    static func publicKey(in file: String) throws -> PublicKey {
        let text = try TextInput.read(file, limit: 1 << 16)
        do throws(MalformedKey) {
            return try PublicKey(pem: text)
        } catch {
            throw Problem(
                id: "key.malformed",
                kind: .invalid,
                message: "the file has no public key that can be read",
                place: file,
                fix: "give the file that `ota releases verify --export-key` writes, with the line "
                    + "BEGIN PUBLIC KEY",
            )
        }
    }
}
