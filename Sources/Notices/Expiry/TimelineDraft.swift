import Bundles
import Foundation
import Identifiers
import Inspection
import Releases

/// Profiles and certificates while they are collected, each once however many builds have it.
struct TimelineDraft {
    private struct Key: Hashable {
        let kind: ExpiringItem.Kind
        let identifier: String
        let name: String
    }

    private struct Spot: Hashable {
        let app: BundleIdentifier
        let release: ReleaseIdentifier
        let bundle: String
    }

    private struct Entry {
        let team: String?
        let begins: Date
        let expires: Date
        var channels: [Spot: [ChannelName]] = [:]
        var isInUse = false

        mutating func use(_ isNow: Bool) { isInUse = isInUse || isNow }
    }

    private var entries: [Key: Entry] = [:]

    /// Adds a profile that builds have, or that an admin added.
    mutating func add(_ record: ProfileRecord) {
        let isByHand = record.uses.isEmpty
        let spots = record.uses.map {
            (Spot(app: $0.app, release: $0.release, bundle: $0.bundle), [ChannelName]())
        }
        note(
            Key(kind: .profile, identifier: record.uuid, name: record.name),
            Entry(team: record.teamName, begins: record.created, expires: record.expires),
            at: spots,
            isInUse: isByHand,
        )
        let last = record.certificates.max { $0.expires < $1.expires }
        for certificate in record.certificates {
            note(
                certificate,
                team: record.teamName,
                at: spots,
                isInUse: isByHand && certificate == last,
            )
        }
    }

    /// Adds what a build that can be installed now depends on.
    mutating func add(_ offer: ExpiryTimeline.Offer) {
        for bundle in offer.report.bundles {
            let spot = Spot(
                app: offer.release.bundleIdentifier,
                release: offer.release.identifier,
                bundle: bundle.path,
            )
            let spots = [(spot, offer.channels)]
            if let profile = bundle.profile {
                note(
                    Key(kind: .profile, identifier: profile.uuid, name: profile.name),
                    Entry(
                        team: profile.teamName,
                        begins: profile.created,
                        expires: profile.expires,
                    ),
                    at: spots,
                    isInUse: true,
                )
            }
            let signers = bundle.signers
            let allowed = bundle.profile?.certificates ?? []
            // If no signer is proven, the profile's certificate that expires last decides.
            let deciding = signers.isEmpty ? allowed.max { $0.expires < $1.expires } : nil
            for certificate in Set(signers + allowed) {
                note(
                    certificate,
                    team: bundle.profile?.teamName,
                    at: spots,
                    isInUse: signers.contains(certificate) || certificate == deciding,
                )
            }
        }
    }

    /// Adds what a team signs with: its certificate and its profiles.
    mutating func add(_ team: Team) {
        if let identity = team.identity {
            note(
                Key(
                    kind: .certificate,
                    identifier: identity.serial,
                    name: identity.commonName,
                ),
                Entry(team: team.name, begins: identity.begins, expires: identity.expires),
                at: [],
                isInUse: true,
            )
        }
        for profile in team.profiles {
            note(
                Key(kind: .profile, identifier: profile.uuid, name: profile.name),
                Entry(team: team.name, begins: profile.created, expires: profile.expires),
                at: [],
                isInUse: true,
            )
        }
    }

    var items: [ExpiringItem] {
        entries.map { key, entry in
            let places = entry.channels.map { spot, channels in
                ExpiringItem.Place(
                    app: spot.app,
                    release: spot.release,
                    bundle: spot.bundle,
                    channels: channels,
                )
            }
            return ExpiringItem(
                kind: key.kind,
                identifier: key.identifier,
                name: key.name,
                team: entry.team,
                begins: entry.begins,
                expires: entry.expires,
                places: places.sorted { $0.stands(before: $1) },
                isInUse: entry.isInUse,
            )
        }
    }

    private mutating func note(
        _ certificate: CertificateSummary,
        team: String?,
        at spots: [(Spot, [ChannelName])],
        isInUse: Bool,
    ) {
        note(
            Key(kind: .certificate, identifier: certificate.serial, name: certificate.name),
            Entry(team: team, begins: certificate.begins, expires: certificate.expires),
            at: spots,
            isInUse: isInUse,
        )
    }

    private mutating func note(
        _ key: Key,
        _ fresh: Entry,
        at spots: [(Spot, [ChannelName])],
        isInUse: Bool,
    ) {
        // Changed in place, because a certificate may be in a thousand builds.
        for (spot, channels) in spots {
            let known = entries[key, default: fresh].channels[spot] ?? []
            entries[key, default: fresh].channels[spot] = channels.isEmpty ? known : channels
        }
        if spots.isEmpty || isInUse { entries[key, default: fresh].use(isInUse) }
    }
}

extension ExpiringItem.Place {
    /// Whether this place is sorted before another; those that channels offer come first.
    ///
    /// The parts are compared one by one, because creating tuples of strings is slow.
    fileprivate func stands(before other: ExpiringItem.Place) -> Bool {
        guard channels.isEmpty == other.channels.isEmpty else { return !channels.isEmpty }
        guard app == other.app else { return app.rawValue < other.app.rawValue }
        guard release == other.release else { return release.rawValue < other.release.rawValue }
        return bundle < other.bundle
    }
}
