import Foundation
import Logging
import ServiceLifecycle

/// Watches the certificate's files, or the machine's names, once a second.
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
            case .development(let authority): try await watch(authority)
            }
        }
    }

    /// A pair that is half written or bad is said once and leaves the old one in use.
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
                    "certificate not replaced; the old one stays in use",
                    metadata: ["reason": "\(error)"],
                )
            }
            seen = stamp
        }
    }

    private func watch(_ authority: DevelopmentAuthority) async throws {
        var names = Set(MachineNames.all())
        var made = clock()
        while true {
            try await Task.sleep(for: .seconds(10))
            let namesNow = Set(MachineNames.all())
            let age = clock().timeIntervalSince(made)
            guard namesNow != names || age > 300 * 86_400 || age < -3600 else { continue }
            do {
                let all = Array(namesNow.union(otherNames)).sorted()
                let identity = try authority.identity(for: all, at: clock())
                try current.replace(with: identity)
                hosts.replace(with: all)
                (names, made) = (namesNow, clock())
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
