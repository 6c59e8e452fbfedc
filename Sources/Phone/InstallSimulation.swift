import Cryptography
import Foundation

/// The state of one attempt.
struct InstallSimulation {
    let phone: SimulatedPhone
    let network: Network
    let roots: TrustedRoots
    private let report: (Step) -> Void
    private(set) var steps: [Step] = []
    /// Whether each contacted server is trusted.
    private var servers: [String: Bool] = [:]
    /// Safari's cookies.
    ///
    /// They are sent with page requests and, to find out whether a response depends on them, with
    /// repeated requests of the installer.
    var cookies: CookieJar

    init(_ phone: SimulatedPhone, reporting report: @escaping (Step) -> Void) {
        self.phone = phone
        cookies = phone.cookies
        self.report = report
        network = Network(authorities: phone.authorities, timeouts: phone.timeouts)
        roots = TrustedRoots(installed: phone.authorities)
    }

    mutating func take(_ step: Step) {
        steps.append(step)
        report(step)
    }

    /// Whether the phone continues after the steps so far.
    var goesOn: Bool {
        phone.persistence == .reportsEverything || !steps.contains { $0.outcome == .failed }
    }

    /// Adds the steps that were not reached as skipped.
    mutating func skipTheRest(of names: [StepName]) {
        let reason =
            steps.contains { $0.outcome == .failed }
            ? "an earlier step failed" : "there was nothing to do"
        for name in names {
            if steps.contains(where: { $0.name == name }) { continue }
            if name == .profile, phone.udid == nil { continue }
            take(Step(skipping: name, because: reason))
        }
    }

    /// Connects to a server for the first time and decides whether to trust it.
    ///
    /// - Returns: whether it is trusted; nil when the phone stops.
    mutating func reach(_ address: WebAddress, or screen: Screens) async -> Bool? {
        guard address.isSecure else { return true }
        if let isTrusted = servers[address.authority] {
            return isTrusted || phone.persistence == .reportsEverything ? isTrusted : nil
        }
        let handshake: Handshake
        do throws(NetworkFailure) {
            handshake = try await network.handshake(with: address, verifies: false)
        } catch {
            let isSecurity: Bool
            switch error {
            case .handshake, .closedEarly, .untrusted: isSecurity = true
            default: isSecurity = false
            }
            let failure = error == .closedEarly ? NetworkFailure.handshake("it hangs up") : error
            let fault = Fault(failure, reaching: address, shown: screen.unreachable)
            if isSecurity {
                take(Step(.connection, about: address.authority, StepNotes()))
            }
            take(
                Step(
                    isSecurity ? .trust : .connection,
                    about: address.authority,
                    StepNotes(faults: [fault]),
                )
            )
            return nil
        }
        let place = handshake.remoteAddress.map { ["at \($0)"] } ?? []
        take(Step(.connection, about: address.authority, StepNotes(facts: place)))
        let isTrusted = await judge(handshake, of: address, shown: screen.untrusted)
        servers[address.authority] = isTrusted
        return goesOn ? isTrusted : nil
    }

    private mutating func judge(
        _ handshake: Handshake,
        of address: WebAddress,
        shown screen: PhoneScreen,
    ) async -> Bool {
        let trust = ServerTrustEvaluation(
            address: address,
            roots: roots,
            now: phone.now,
            screen: screen,
        )
        var notes = trust.judge(handshake)
        if !notes.hasFailed {
            do throws(NetworkFailure) {
                _ = try await network.handshake(with: address, verifies: true)
            } catch {
                notes.faults.append(Fault(error, reaching: address, shown: screen))
            }
        }
        if notes.hasFailed, phone.persistence == .reportsEverything,
            let reason = await network.certificateTrouble(at: address)
        {
            notes.faults.append(
                .warning(
                    .untrustedAuthority,
                    reason,
                    fix: "Do what the server says; it tries again automatically.",
                )
            )
        }
        take(Step(.trust, about: address.authority, notes))
        return !notes.hasFailed
    }

    /// What a phone shows when it cannot reach a server, and when it does not trust it.
    struct Screens {
        let unreachable: PhoneScreen
        let untrusted: PhoneScreen

        static func page(_ address: WebAddress) -> Screens {
            Screens(
                unreachable: .safariCannotConnect(host: address.host),
                untrusted: .safariNotPrivate(host: address.host),
            )
        }

        static func installer(_ address: WebAddress) -> Screens {
            let screen = PhoneScreen.cannotConnect(host: address.host)
            return Screens(unreachable: screen, untrusted: screen)
        }

        static let settings = Screens(
            unreachable: .settings("“Profile Installation Failed”"),
            untrusted: .settings("“Profile Installation Failed”"),
        )
    }
}

extension InstallSimulation {
    /// Whether an icon's server is trusted; a new server is tried without adding a step.
    mutating func isTrustedQuietly(_ address: WebAddress) async -> Bool {
        guard address.isSecure else { return phone.persistence == .reportsEverything }
        if let isTrusted = servers[address.authority] { return isTrusted }
        return (try? await network.handshake(with: address, verifies: true)) != nil
    }
}
