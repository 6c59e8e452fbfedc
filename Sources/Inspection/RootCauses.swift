import Bundles
import Bytes
import CodeSignature

/// Parts of a build that were replaced after signing.
///
/// Findings that follow from the replacement are merged into the finding about it.
struct RootCauses {
    /// Programs that were signed in another bundle.
    private let programs: [SignedCode]
    /// Bundles with a genuine profile that is not the one in their seal.
    private let reprovisioned: [AppBundle]
    private let application: AppBundle
    /// By place: the path of the bundle whose profile must grant the code's entitlements.
    private let hosts: [String: RelativePath]

    init(in input: InspectionInput) {
        let code = input.code
        application = input.application
        programs = code.filter { code in
            SignatureRules.integrity(of: code, in: input).contains {
                $0.rule == .programExchanged
            }
        }
        reprovisioned = code.compactMap { code in
            let place = code.bundle.profilePlace
            guard code.bundle.kind.hasOwnProfile,
                input.profile(of: code.bundle).profile?.trust.isVerified == true,
                code.damages.contains(where: {
                    $0.path == place && ($0.kind == .modified || $0.kind == .added)
                })
            else { return nil }
            return code.bundle
        }
        hosts = Dictionary(code.map { ($0.path.printable.text, $0.host.path) }) { first, _ in first
        }
    }

    /// The findings with each cause first, its consequences merged into its message.
    func folding(_ findings: [Finding]) -> [Finding] {
        var rest = findings
        var roots: [Finding] = []
        let places = Set(reprovisioned.map(\.profilePlace.printable.text))
        if let root = rest.firstIndex(where: { finding in
            places.contains(finding.place)
                && [Rule.sealModified.id, Rule.sealAdded.id].contains(finding.id)
        }) {
            let consequences = rest.filter(followsFromProfile)
            if !consequences.isEmpty {
                let finding = rest.remove(at: root)
                rest.removeAll(where: followsFromProfile)
                roots.append(
                    finding.saying(
                        "“embedded.mobileprovision” was replaced after the bundle was signed, and "
                            + "the new one does not match the code."
                            + Self.sentence(on: consequences)
                    )
                )
            }
        }
        if let root = rest.firstIndex(where: { $0.id == Rule.watchNotPrefixed.id }) {
            let finding = rest.remove(at: root)
            let follows = { Self.follows($0, fromIdentifierAt: finding.place) }
            let consequences = rest.filter(follows)
            rest.removeAll(where: follows)
            roots.append(finding.saying(finding.message + Self.sentence(on: consequences)))
        }
        if let root = rest.firstIndex(where: { $0.id == Rule.programExchanged.id }) {
            let finding = rest.remove(at: root)
            let consequences = rest.filter(followsFromProgram)
            rest.removeAll(where: followsFromProgram)
            roots.append(finding.saying(finding.message + Self.sentence(on: consequences)))
        }
        return roots + rest
    }

    private func followsFromProfile(_ finding: Finding) -> Bool {
        guard finding.severity > .notes else { return false }
        let between = ["nested.team-differs", "device.not-in-nested-profile"]
        return reprovisioned.contains { bundle in
            if bundle.path == application.path, between.contains(finding.id) { return true }
            if finding.place == bundle.profilePlace.printable.text {
                return finding.id.hasPrefix("profile.") && finding.id != Rule.privateAuthority.id
                    || between.contains(finding.id)
            }
            return hosts[finding.place] == bundle.path
                && (finding.id.hasPrefix("entitlement.")
                    || [Rule.signerNotInProfile.id, Rule.signerOfOtherTeam.id]
                        .contains(finding.id))
        }
    }

    private func followsFromProgram(_ finding: Finding) -> Bool {
        guard finding.severity > .notes, finding.id != Rule.programExchanged.id else {
            return false
        }
        return programs.contains { code in
            if finding.place == code.bundle.profilePlace.printable.text {
                return finding.id == "profile.identifier-mismatch"
            }
            return finding.place == code.path.printable.text
                && ["signature.", "entitlement.", "code.", "clip."]
                    .contains(where: finding.id.hasPrefix)
        }
    }

    /// Whether a finding about an extension only follows from the watch app's wrong identifier.
    private static func follows(_ finding: Finding, fromIdentifierAt info: String) -> Bool {
        let watch = info.dropLast("/Info.plist".count)
        return finding.place.hasPrefix(watch + "/PlugIns/")
            && [
                "nested.identifier-not-prefixed", "nested.identifier-too-deep",
                Rule.wrongWatchApp.id,
            ].contains(finding.id)
    }

    /// Lists the consequences by the titles of their rules.
    private static func sentence(on consequences: [Finding]) -> String {
        var titles: [String] = []
        for title in consequences.compactMap({ Rule.named($0.id)?.title })
        where !titles.contains(title) { titles.append(title) }
        guard !titles.isEmpty else { return "" }
        let named = titles.prefix(4).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        let more = titles.count > 4 ? "; and \(titles.count - 4) more" : ""
        return " As a result: \(named.joined(separator: "; "))\(more)."
    }
}

extension Finding {
    /// The same finding with another message.
    func saying(_ message: String) -> Finding {
        Finding(
            id: id,
            severity: severity,
            place: place,
            message: message,
            fix: fix,
            appleCode: appleCode,
            devices: devices,
            blocksFrom: blocksFrom,
        )
    }
}
