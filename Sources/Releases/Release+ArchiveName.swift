import Identifiers

extension Release {
    /// The IPA's name in URLs and on disks: letters, digits and hyphens.
    package var archiveName: String {
        Slug(title: "\(name)-\(version)-\(build)", identifier: bundleIdentifier).rawValue
    }
}
