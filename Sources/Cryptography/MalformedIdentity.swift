import Bytes
package import Problems

/// Why a file contains no usable signing identity.
package enum MalformedIdentity: ReportableError, Equatable {
    case tooLarge(limit: Int)
    /// Neither PKCS#12 nor PEM.
    case unknownFormat
    case notPKCS12(reason: String?)
    /// More keys, certificates or containers than an export has.
    case tooManyParts(limit: Int)
    /// Key derivation from the passphrase would take minutes.
    case tooCostly(limit: Int)
    case unsupportedEncryption(OID)
    /// This machine's OpenSSL has no legacy provider, which the file may need.
    case noLegacyProvider
    /// The file is encrypted and no passphrase was given.
    case passphraseNeeded
    case emptyPassphrase
    /// The MAC does not match: a wrong passphrase, or a damaged file.
    case wrongPassphrase
    case noKey
    case noCertificate
    case key(MalformedKey)
    case certificate(MalformedCertificate)

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the identity file is larger than \(limit.grouped) bytes"
        case .unknownFormat: "the file is neither PKCS#12 nor PEM"
        case .notPKCS12(let reason):
            "the PKCS#12 file cannot be read" + (reason.map { ": \($0)" } ?? "")
        case .tooManyParts(let limit):
            "the identity file has more than \(limit) keys and certificates"
        case .tooCostly(let limit):
            "the passphrase of the file is hashed more than \(limit.grouped) times, which takes too long"
        case .unsupportedEncryption(let oid):
            "the file is encrypted in a way that is not supported (\(oid))"
        case .noLegacyProvider:
            "the file cannot be decrypted: OpenSSL on this machine has no legacy provider, which "
                + "exports of Keychain Access need"
        case .passphraseNeeded: "the identity file needs a passphrase, and none is given"
        case .emptyPassphrase: "the given passphrase is empty, and the file has another one"
        case .wrongPassphrase: "the passphrase is wrong, or the identity file is damaged"
        case .noKey: "the file has no private key"
        case .noCertificate: "the file has no certificate for its private key"
        case .key(let malformed): "\(malformed)"
        case .certificate(let malformed): "\(malformed)"
        }
    }
}

extension MalformedIdentity {
    package var id: String {
        switch self {
        case .tooLarge: "identity.too-large"
        case .unknownFormat: "identity.unknown-format"
        case .notPKCS12, .tooManyParts: "identity.malformed"
        case .tooCostly: "identity.too-costly"
        case .unsupportedEncryption: "identity.unsupported-encryption"
        case .noLegacyProvider: "identity.no-legacy-provider"
        case .passphraseNeeded: "identity.passphrase-needed"
        case .emptyPassphrase: "identity.passphrase-empty"
        case .wrongPassphrase: "identity.passphrase-wrong"
        case .noKey: "identity.no-key"
        case .noCertificate: "identity.no-certificate"
        case .key(let malformed): malformed.id
        case .certificate(let malformed): malformed.id
        }
    }

    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        case .noLegacyProvider:
            "install OpenSSL's legacy provider, or export the file again with "
                + "openssl pkcs12 -export"
        case .passphraseNeeded, .emptyPassphrase, .wrongPassphrase:
            "give the passphrase that the file was exported with"
        case .key(let malformed): malformed.fix
        case .certificate(let malformed): malformed.fix
        case .tooCostly, .unsupportedEncryption: "export the file again with openssl pkcs12 -export"
        case .noCertificate:
            "export the certificate together with its private key from Keychain Access as .p12, or "
                + "put both into one PEM file"
        case .tooLarge, .unknownFormat, .notPKCS12, .tooManyParts, .noKey:
            "export the certificate with its private key from Keychain Access as .p12"
        }
    }
}
