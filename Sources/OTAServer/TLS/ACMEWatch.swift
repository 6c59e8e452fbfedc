import ACME
import Foundation
import HTTPServing
import Logging
import Problems
import Releases
import ServiceLifecycle
import SiteServices

/// Obtains certificates from an ACME authority while the server runs.
struct ACMEWatch: Service {
    let upkeep: CertificateUpkeep
    /// The longest time between two readings of the clock.
    let look: Duration
    /// Ends when both ports accept connections, which the authority will use.
    let opened: AsyncStream<Void>
    let clock: @Sendable () -> Date

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            for await _ in opened { break }
            while true {
                let due = await upkeep.step()
                // In parts, because the clock may be set, and the machine may sleep.
                repeat { try await Task.sleep(for: look) } while clock() < due
            }
        }
    }
}

/// Applies what happens during a certificate's upkeep to the server.
struct ACMENews: Sendable {
    let settings: ACMESettings
    let names: [String]
    let otherNames: [String]
    let current: CurrentCertificate
    let hosts: HostNames
    let health: CertificateHealth
    let logger: Logger

    /// Sets the overview's message until anything else is known.
    func begin() {
        health.note(
            CertificateHealth.Trouble(
                title: "The server is waiting for its first certificate",
                detail: "It is asking \(settings.directory.host) for a certificate for "
                    + "\(names.joined(separator: ", ")). Until then, phones see the development "
                    + "certificate, and testers have to trust it on /trust.",
                isUrgent: false,
            )
        )
        logger.notice(
            "no certificate yet; the development certificate is in use",
            metadata: ["names": "\(names)", "authority": "\(settings.directory.host)"],
        )
    }

    @Sendable func take(_ news: CertificateUpkeep.News) {
        switch news {
        case .replaced(let identity):
            do throws(CertificateProblem) {
                try current.replace(with: identity)
                hosts.replace(with: otherNames + identity.names)
                health.note(nil)
                logger.notice("certificate replaced", metadata: ["names": "\(identity.names)"])
            } catch {
                stuck(error)
            }
        case .failed(let trouble): failed(trouble)
        case .stuck(let error): stuck(error)
        }
    }

    private func failed(_ trouble: ACMETrouble) {
        let sentences = trouble.failures.map { Wording.sentence($0.message) }
        let fix = trouble.failures.first.map { Wording.sentence($0.fix) } ?? ""
        health.note(
            CertificateHealth.Trouble(
                title: "The server cannot get a certificate for \(names.joined(separator: ", "))",
                detail: (sentences + [fix]).joined(separator: " ")
                    + " The next attempt is on \(Wording.moment(trouble.next)).",
                isUrgent: trouble.isAnnounced,
            )
        )
        logger.error(
            "no new certificate; the previous one stays in use",
            metadata: [
                "reason": "\(trouble.failures.first?.message ?? "")",
                "fix": "\(trouble.failures.first?.fix ?? "")",
                "attempt": "\(trouble.attempts)", "next": "\(trouble.next.formatted(.iso8601))",
            ],
        )
    }

    private func stuck(_ error: any Error) {
        let problem = Problem(error)
        health.note(
            CertificateHealth.Trouble(
                title: "The server cannot renew its certificate",
                detail: Wording.sentence(problem.message) + " " + Wording.sentence(problem.fix),
                isUrgent: true,
            )
        )
        logger.error(
            "the certificate cannot be renewed",
            metadata: ["reason": "\(problem.message)"],
        )
    }
}
