import Foundation
import HTTPServing
import Logging
import ServiceLifecycle
import Store

/// Checks the certificate's files, or the machine's names, once a second.
struct CertificateWatch: Service {
    let source: CertificateSource
    let host: String
    let current: CurrentCertificate
    let hosts: HostNames
    let otherNames: [String]
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            switch source {
            case .files(let files): try await watch(files)
            case .development(let authority, let store): try await watch(authority, in: store)
            // ``ACMEWatch`` replaces the certificate.
            case .acme: return
            }
        }
    }

    /// An incomplete or invalid pair of files is logged once, and the old certificate stays in use.
    private func watch(_ files: CertificateFiles) async throws {
        var seen = CertificateFiles.Stamp(of: files)
        while true {
            try await Task.sleep(for: .seconds(1))
            let stamp = CertificateFiles.Stamp(of: files)
            guard stamp != seen else { continue }
            do {
                let identity = try files.identity(for: host, at: clock(), roots: .installed)
                try current.replace(with: identity)
                hosts.replace(with: identity.names + otherNames)
                logger.notice("certificate replaced", metadata: ["names": "\(identity.names)"])
            } catch {
                logger.error(
                    "the new certificate cannot be used; the old one stays in use",
                    metadata: ["reason": "\(error)"],
                )
            }
            seen = stamp
        }
    }

    private func watch(_ authority: DevelopmentAuthority, in store: OTAStore) async throws {
        while true {
            try await Task.sleep(for: .seconds(10))
            let all = Set(MachineNames.all()).union(otherNames).sorted()
            guard !authority.isGood(current.identity, for: all, at: clock()) else { continue }
            do {
                let identity = try authority.keptIdentity(for: all, in: store, at: clock())
                try current.replace(with: identity)
                hosts.replace(with: all + identity.names)
                logger.notice("development certificate renewed", metadata: ["names": "\(all)"])
            } catch {
                logger.error(
                    "development certificate not renewed",
                    metadata: ["reason": "\(error)"],
                )
            }
        }
    }
}
