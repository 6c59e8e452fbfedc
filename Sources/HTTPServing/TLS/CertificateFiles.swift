import Bytes
import Cryptography
package import Foundation

/// A certificate chain and its key in PEM files that another program renews.
package struct CertificateFiles: Sendable, Equatable {
    /// The path of the chain: the server's certificate first, then the issuers; the root may be omitted.
    package let chain: String
    package let key: String

    /// - Parameters:
    ///   - chain: the path of the PEM file with the certificate chain.
    ///   - key: the path of the PEM file with the private key, unencrypted.
    package init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }

    /// Metadata of the two files that detects a change without reading them.
    package struct Stamp: Equatable {
        private let values: [[FileAttributeKey: NSObject]]

        /// - Parameter files: the files whose dates, sizes and inode numbers are read.
        package init(of files: CertificateFiles) {
            values = [files.chain, files.key].map { path in
                // Symbolic links are resolved, because renewal tools point a link to a new folder.
                let real = URL(filePath: path).resolvingSymlinksInPath()
                    .path(percentEncoded: false)
                let all = (try? FileManager.default.attributesOfItem(atPath: real)) ?? [:]
                return all.reduce(into: [:]) { found, attribute in
                    switch attribute.key {
                    case .modificationDate, .systemFileNumber, .size:
                        found[attribute.key] = attribute.value as? NSObject
                    default:
                        break
                    }
                }
            }
        }
    }

    /// Reads both files, and checks them for the base URL's host as a phone would.
    package func identity(
        for host: String,
        at date: Date,
        roots: @autoclosure () -> SystemRoots,
    ) throws(CertificateProblem) -> ServerIdentity {
        let chain = try certificates()
        let key = try privateKey()
        let identity = ServerIdentity(chain: chain, key: key)
        try identity.check(for: host, at: date, roots: roots())
        return identity
    }

    private func certificates() throws(CertificateProblem) -> [Certificate] {
        let text = try text(of: chain)
        let certificates: [Certificate]
        do throws(MalformedCertificate) {
            certificates = try Certificate.chain(pem: text)
        } catch .noCertificateInText {
            guard text.contains("BEGIN CERTIFICATE") else { throw .noCertificate(path: chain) }
            throw .malformed(path: chain, reason: "a certificate is truncated")
        } catch {
            throw .malformed(path: chain, reason: "\(error)")
        }
        guard !certificates.isEmpty else { throw .noCertificate(path: chain) }
        return certificates
    }

    private func privateKey() throws(CertificateProblem) -> PrivateKey {
        let text = try text(of: key)
        do throws(MalformedKey) {
            return try PrivateKey(pem: text)
        } catch {
            throw .malformed(path: key, reason: "\(error)")
        }
    }

    private func text(of path: String) throws(CertificateProblem) -> String {
        do throws(SourceFailure) {
            let file = try FileSource(path: path)
            let bytes = try file.bytes(at: 0, count: min(file.count, Self.longest))
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
    }

    /// The most bytes that are read; longer than any chain.
    private static let longest = 1 << 20
}
