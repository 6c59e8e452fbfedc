import Cryptography
import Signing

/// The CMS message in slot 0x10000: detached, over the primary CodeDirectory.
extension CodeSigner {
    func message(over directories: [HashedCodeDirectory]) throws -> [UInt8] {
        let named = options.misstatesHashes ? directories.map(\.misstated) : directories
        let signer = options.includesChain ? identity : identity.alone
        var message = CodeMessage(identity: signer, at: date)
        message.digest = directories[0].hash == .sha1 ? .sha1 : .sha256
        message.namesAlgorithmsInFull = false
        return try message.bytes(over: directories[0].blob, naming: named)
    }
}

extension HashedCodeDirectory {
    fileprivate var misstated: HashedCodeDirectory {
        HashedCodeDirectory(hash: hash, blob: blob + [0])
    }
}

extension SigningIdentity {
    fileprivate var alone: SigningIdentity { SigningIdentity(certificate: certificate, key: key) }
}
