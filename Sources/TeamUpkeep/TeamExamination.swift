package import AppleDeveloper
import Bytes
import Cryptography
package import Essentials
import Identifiers
import Problems
package import Releases
package import Store

/// Checks whether a team's developer account and this server have everything that devices and builds need.
package struct TeamExamination: Sendable {
    /// The results, beginning with those on which the others depend.
    package let lines: [TeamCheck.Line]

    package var isGood: Bool { !lines.contains { $0.verdict == .missing } }

    /// Reads the account, without changing it.
    ///
    /// - Parameters:
    ///   - team: the team.
    ///   - store: the store with the team's devices and its apps' offered builds.
    ///   - accounts: opens the account, and unseals the team's identity.
    ///   - policy: how requests are retried.
    ///   - date: the current time.
    /// - Throws: ``AppleFailure`` if App Store Connect cannot be reached; what it refuses to the key
    ///   becomes a line. ``AccountRefusal``, `KeyFileRefusal`, `SealRefusal`, ``StoreFailure``.
    package init(
        of team: Team,
        in store: OTAStore,
        through accounts: AccountOpener,
        trying policy: RetryPolicy? = nil,
        at date: Date,
    ) async throws {
        let account = try accounts.open(team, trying: policy)
        let offered = try OfferedClaims(of: team, in: store)
        let (register, teams) = (try store.devices(), try store.teams())
        let own = TeamDevices(of: team, in: register, beside: teams).devices
        let unowned = TeamDevices.unowned(in: register, beside: teams).unownedWords.map {
            TeamCheck.Line(verdict: .warning, text: $0, fix: TeamDevices.unownedFix)
        }
        var reading = AccountReading()
        let devices = try await reading.part("devices") { () async throws(AppleFailure) in
            try await account.devices()
        }
        let certificates = try await reading.part("certificates") {
            () async throws(AppleFailure) in try await account.certificates()
        }
        let bundleIDs = try await reading.part("App IDs") { () async throws(AppleFailure) in
            try await account.bundleIDs()
        }
        var capabilities: [ResourceID: [AccountCapability]] = [:]
        for claim in offered.claims {
            guard let found = bundleIDs?.first(where: { $0.identifier == claim.bundle.rawValue })
            else { continue }
            capabilities[found.id] = try await reading.part("capabilities") {
                () async throws(AppleFailure) in try await account.capabilities(of: found.id)
            }
        }
        let check = TeamCheck(
            TeamCheck.Account(
                devices: devices,
                certificates: certificates,
                bundleIDs: bundleIDs,
                capabilities: capabilities,
            ),
            for: offered.claims,
            signingWith: try accounts.identity(of: team)?.key,
            counting: Dictionary(grouping: own.filter(\.isInAccount), by: \.family)
                .mapValues(\.count),
            at: date,
            renewingBefore: Double(offered.renewalDays),
        )
        lines =
            reading.lines(ofKey: team.account?.keyID ?? "")
            + Self.owner(of: certificates, bundleIDs, team) + check.lines
            + Self.state(of: team, hasApps: !offered.claims.isEmpty)
            + [unowned].compactMap(\.self)
    }

    /// Reports a key of another team, which would register this team's devices in that team's account.
    private static func owner(
        of certificates: [AccountCertificate]?,
        _ bundleIDs: [AccountBundleID]?,
        _ team: Team,
    ) -> [TeamCheck.Line] {
        let reason = AccountOwner.contradiction(to: team.identifier, in: certificates, bundleIDs)
        guard let reason else { return [] }
        let refusal = AccountRefusal.otherTeam(team.identifier, reason)
        return [TeamCheck.Line(verdict: .missing, text: "\(refusal)", fix: refusal.fix)]
    }

    private static func state(of team: Team, hasApps: Bool) -> [TeamCheck.Line] {
        var lines: [TeamCheck.Line] = []
        if !hasApps {
            lines.append(
                TeamCheck.Line(
                    verdict: .warning,
                    text: "no app with a published build is signed for the team",
                    fix: "name the team with `ota apps set APP --team \(team.identifier)`",
                )
            )
        }
        guard let account = team.account else { return lines }
        if !account.isActive {
            lines.append(
                TeamCheck.Line(
                    verdict: .warning,
                    text: "no admin has yet allowed this server to make changes at Apple",
                    fix: "see which and allow them with `ota teams sync \(team.identifier)`",
                )
            )
        }
        if let trouble = account.trouble {
            lines.append(
                TeamCheck.Line(
                    verdict: .warning,
                    text: "the last job in the account did not succeed: \(trouble.message)",
                    fix: trouble.fix,
                )
            )
        }
        return lines
    }
}

/// What a key may read, part by part.
private struct AccountReading {
    private var readable: [String] = []
    private var refused: [TeamCheck.Line] = []
    /// Whether the key was refused altogether, so that no further part is requested.
    private var isOver = false

    /// - Returns: nil if the key may not read this.
    /// - Throws: a temporary failure, or one of this machine.
    mutating func part<Value>(
        _ name: String,
        _ read: () async throws(AppleFailure) -> Value,
    ) async throws(AppleFailure) -> Value? {
        guard !isOver else { return nil }
        do throws(AppleFailure) {
            let value = try await read()
            if !readable.contains(name) { readable.append(name) }
            return value
        } catch {
            switch error {
            case .roleMissing: refuse("the key may not read \(name): \(error)", error)
            case .keyRefused, .agreementMissing, .clockDiffers:
                isOver = true
                refuse("\(error)", error)
            default: throw error
            }
            return nil
        }
    }

    private mutating func refuse(_ text: String, _ failure: AppleFailure) {
        let line = TeamCheck.Line(verdict: .missing, text: text, fix: failure.fix)
        if !refused.contains(line) { refused.append(line) }
    }

    func lines(ofKey identifier: String) -> [TeamCheck.Line] {
        guard !readable.isEmpty else { return refused }
        let line = TeamCheck.Line(
            verdict: .good,
            text: "the key \(identifier) may read " + readable.joined(separator: ", "),
        )
        return [line] + refused
    }
}

extension Device {
    /// Whether the device takes a slot of the account, as far as this server knows.
    fileprivate var isInAccount: Bool {
        state == .registered || (state == .disabled && history.contains { $0.state == .registered })
    }
}
