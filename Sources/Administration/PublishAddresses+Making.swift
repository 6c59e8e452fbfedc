import APIDocuments
package import Foundation
package import Identifiers
package import Publishing
package import Releases

extension PublishAddresses {
    /// The URLs of a build that was published on `channel`.
    package init(
        of published: PublishedBuild,
        on channel: ChannelName,
        links: Links,
        capabilities: CapabilityAuthority,
        at date: Date,
    ) {
        let release = published.release
        let slug =
            published.app?.slug ?? Slug(title: release.name, identifier: release.bundleIdentifier)
        let isDefault =
            published.app?.defaultChannel.map { $0 == channel } ?? (published.channelEnd == nil)
        let folder = links.install(capabilities.component(for: release, at: date))
        self.init(
            page: links.app(slug, channel: isDefault ? nil : channel),
            manifest: folder.manifest,
            archive: folder.archive(named: release.archiveName),
        )
    }
}
