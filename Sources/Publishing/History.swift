import Bundles
package import Identifiers
package import Inspection
import Releases
package import Store

extension OTAStore {
    /// What the store has that a new build is compared with, in a few documents however many apps
    /// and releases there are.
    ///
    /// An earlier report that cannot be read is left out: it is no reason to keep a build back, and
    /// ``verify(readingBlobs:progress:)`` finds it.
    package func history(
        for report: InspectionReport,
        on channel: ChannelName,
    ) throws(StoreFailure) -> PublishedHistory {
        guard let identifier = report.identity.bundleIdentifier else {
            return PublishedHistory(offer: nil)
        }
        var others: [InspectionReport] = []
        // One list instead of several questions.
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

    /// The apps that can have an identifier in common with a build.
    ///
    /// What is inside an app has the app's identifier and a dot in front, else it does not install;
    /// so each such app is a beginning of one of the build's own identifiers.
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

    /// An app with more extensions than any has; a stranger's further ones are not looked up.
    private static var neighbourLimit: Int { 256 }

    /// What an app's channels offer, each release once.
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
    /// The build with what the store's history says of it.
    ///
    /// Of bytes that are there already it says nothing more: their report is kept as it was when they
    /// were new.
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
