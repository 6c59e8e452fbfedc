import Bundles
package import Identifiers
package import Inspection
import Releases
package import Store

extension OTAStore {
    /// Returns what a new build is compared with, reading only a few documents however many apps and
    /// releases there are.
    ///
    /// An earlier report that cannot be read is left out: it must not keep a build from being published,
    /// and ``verify(readingBlobs:beside:progress:)`` finds it.
    package func history(
        for report: InspectionReport,
        on channel: ChannelName,
    ) throws(StoreFailure) -> PublishedHistory {
        guard let identifier = report.identity.bundleIdentifier else {
            return PublishedHistory(offer: nil)
        }
        var others: [InspectionReport] = []
        // One listing instead of several requests.
        let present = isElsewhere ? Set(try appNames()) : nil
        for other in neighbours(of: report, identifier) {
            guard present?.contains(other.rawValue) != false, let app = try app(other)
            else { continue }
            others += try offered(by: app).compactMap { try? self.report(of: $0) }
        }
        let known = try app(identifier, isCurrent: !isElsewhere)
        let there = try known.flatMap { app throws(StoreFailure) in
            try release(on: channel, of: app)
        }
        let offer = there.flatMap { try? self.report(of: $0) }.map {
            PublishedHistory.Offer(channel: "\(channel)", report: $0)
        }
        guard let offer else { return PublishedHistory(offer: nil, others: others) }
        return PublishedHistory(
            offer: offer,
            others: others,
            devices: try devices().active.map(\.facts),
        )
    }

    /// The apps that may have an identifier in common with a build.
    ///
    /// The identifier of a bundle inside an app must begin with the app's identifier and a dot, otherwise
    /// the app cannot be installed; so the identifier of each such app is a prefix of one of the build's
    /// own identifiers.
    private func neighbours(
        of report: InspectionReport,
        _ identifier: BundleIdentifier,
    ) -> [BundleIdentifier] {
        let nested = report.nested.filter(\.kind.hasOwnProfile).compactMap(\.bundleIdentifier)
        var seen: Set<BundleIdentifier> = [identifier]
        var neighbours: [BundleIdentifier] = []
        for whole in [identifier] + nested.compactMap(BundleIdentifier.init) {
            let components = whole.components
            for count in 1...components.count {
                guard neighbours.count < Self.neighbourLimit else { return neighbours }
                let beginning = components.prefix(count).joined(separator: ".")
                guard let neighbour = BundleIdentifier(beginning), seen.insert(neighbour).inserted
                else { continue }
                neighbours.append(neighbour)
            }
        }
        return neighbours
    }

    /// More extensions than any app has; further ones in an untrusted build are not looked up.
    private static var neighbourLimit: Int { 256 }

    /// The releases that an app's channels offer, each once.
    private func offered(by app: AppRecord) throws(StoreFailure) -> [Release] {
        var releases: [Release] = []
        for identifier in Set(app.channels.values) {
            guard let release = try release(identifier, of: app.bundleIdentifier) else { continue }
            releases.append(release)
        }
        return releases
    }
}

extension ExaminedBuild {
    /// Adds the findings from the store's history to the build.
    ///
    /// If the bytes are in the store already, nothing is added: their report stays as it was when they were
    /// new.
    func judged(
        as identity: Release.Identity,
        in store: OTAStore,
        on channel: ChannelName,
    ) throws(StoreFailure) -> ExaminedBuild {
        let identifier = ReleaseIdentifier(version: identity.version, build: identity.build)
        let there = try store.release(identifier, of: identity.bundleIdentifier)
        guard there?.archive(sha256) == nil else { return self }
        return with(report: report.judged(against: try store.history(for: report, on: channel)))
    }
}
