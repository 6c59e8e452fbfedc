package import Essentials
package import Identifiers

/// The profiles to create, with the reasons, and those to delete once the new ones are in use.
package struct RenewalPlan: Sendable, Equatable {
    /// Why a profile must be replaced.
    package enum Reason: Sendable, Equatable {
        /// This server has no profile for the bundle.
        case none
        /// Required devices that it lacks, by name.
        case missing([String])
        /// The number of devices in it that are no longer required.
        case surplus(Int)
        case expires(Date)
        /// Apple reports it as invalid.
        case invalid
        /// It contains another certificate than the present one.
        case otherCertificate
    }

    /// Why a profile cannot be created now.
    package enum Obstacle: Sendable, Equatable {
        case noAppID
        case noCertificate
        case certificateEnded(Date)
        /// None of the devices is enabled.
        case noDevices
        case tooManyDevices(Int)
    }

    /// What to do for a bundle.
    package enum Step: Sendable, Equatable {
        case keep(ListedProfile)
        /// Creates a profile for these devices; `former` stays in use until then.
        case make(devices: [AccountDevice], because: [Reason], former: ListedProfile?)
        case cannot(Obstacle)
    }

    /// The plan for one bundle.
    package struct Entry: Sendable, Equatable {
        package let bundle: BundleIdentifier
        package let step: Step
        /// Devices that Apple is still processing; a later profile will include them.
        package let waiting: [AccountDevice]
        /// Profiles of this server that are no longer needed once builds are signed with the kept or new
        /// one.
        package let superseded: [ResourceID]
    }

    /// The maximum number of devices in a profile: 100 of each family.
    private static let deviceLimit = 600

    /// Sorted by bundle.
    package let entries: [Entry]

    /// Whether no profile must be created.
    package var isFulfilled: Bool {
        entries.allSatisfy { if case .keep = $0.step { true } else { false } }
    }

    /// - Parameters:
    ///   - needs: the required profiles.
    ///   - profiles: all Ad Hoc profiles of the account; only those with `mark` are considered.
    ///   - certificate: the signing certificate; nil when the account no longer has it.
    ///   - mark: the mark of this installation.
    ///   - date: the present.
    ///   - days: how many days before its expiry a profile is renewed.
    package init(
        needs: [ProfileNeed],
        profiles: [ListedProfile],
        certificate: AccountCertificate?,
        mark: ProfileName.Mark,
        at date: Date,
        renewingBefore days: Double,
    ) {
        let own = profiles.filter { ProfileName.isName($0.profile.name, by: mark) }
        entries = needs.sorted { $0.bundle.rawValue < $1.bundle.rawValue }.map { need in
            let candidates = own.filter {
                need.appID != nil && $0.profile.bundleID == need.appID?.id
            }
            let judge = ProfileJudge(
                certificate: certificate,
                date: date,
                renewal: date.addingTimeInterval(days * 86_400),
            )
            return judge.entry(for: need, among: candidates)
        }
    }

    /// Evaluates the profiles for one need.
    private struct ProfileJudge {
        let certificate: AccountCertificate?
        let date: Date
        /// A profile that expires before this date is renewed.
        let renewal: Date

        func entry(for need: ProfileNeed, among candidates: [ListedProfile]) -> Entry {
            let wanted = need.devices.filter { $0.status == .enabled && $0.udid != nil }
            let waiting = need.devices.filter {
                $0.status == .processing || $0.status == .ineligible
            }
            let judged = candidates.map { ($0, reasons(against: $0, wanted: wanted)) }
                .sorted { Self.isBetter($0, $1) }
            let best = judged.first
            let step: Step
            if let best, best.1.isEmpty {
                step = .keep(best.0)
            } else if let obstacle = obstacle(to: need, wanted: wanted) {
                step = .cannot(obstacle)
            } else {
                step = .make(
                    devices: wanted,
                    because: best?.1 ?? [.none],
                    former: best?.0,
                )
            }
            // The former profile stays in use until builds are signed with the new one.
            let kept: ResourceID? =
                if case .keep(let profile) = step { profile.profile.id } else { nil }
            let isHeld = if case .cannot = step { true } else { false }
            return Entry(
                bundle: need.bundle,
                step: step,
                waiting: waiting,
                superseded: isHeld
                    ? [] : candidates.map(\.profile.id).filter { $0 != kept },
            )
        }

        private func reasons(
            against listed: ListedProfile,
            wanted: [AccountDevice],
        ) -> [Reason] {
            var found: [Reason] = []
            if listed.profile.state != .active { found.append(.invalid) }
            if let certificate, let named = listed.profile.certificates,
                !named.contains(certificate.id)
            {
                found.append(.otherCertificate)
            }
            if let expires = listed.profile.expires, expires <= renewal,
                // A profile does not outlive its certificate, so a new one would expire on the same day.
                certificate?.expires.map({ $0.timeIntervalSince(expires) > 86_400 }) ?? true
            {
                found.append(.expires(expires))
            }
            // Compares the sets, not their sizes: a device may have been exchanged for another.
            let missing = wanted.filter { device in
                device.udid.map { !listed.devices.contains($0) } ?? false
            }
            if !missing.isEmpty { found.append(.missing(missing.map(\.shownName).sorted())) }
            let surplus = listed.devices.subtracting(wanted.compactMap(\.udid))
            if !surplus.isEmpty { found.append(.surplus(surplus.count)) }
            return found
        }

        private func obstacle(to need: ProfileNeed, wanted: [AccountDevice]) -> Obstacle? {
            guard need.appID != nil else { return .noAppID }
            guard let certificate else { return .noCertificate }
            if let end = certificate.expires, end <= date { return .certificateEnded(end) }
            guard !wanted.isEmpty else { return .noDevices }
            guard wanted.count <= RenewalPlan.deviceLimit else {
                return .tooManyDevices(wanted.count)
            }
            return nil
        }

        /// Whether one has fewer reasons against it or, if equal, expires later.
        private static func isBetter(
            _ one: (ListedProfile, [Reason]),
            _ other: (ListedProfile, [Reason]),
        ) -> Bool {
            guard one.1.count == other.1.count else { return one.1.count < other.1.count }
            let ends = (
                one.0.profile.expires ?? .distantPast, other.0.profile.expires ?? .distantPast,
            )
            guard ends.0 == ends.1 else { return ends.0 > ends.1 }
            return one.0.profile.id.rawValue > other.0.profile.id.rawValue
        }
    }
}
