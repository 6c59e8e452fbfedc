import Identifiers

extension Release {
    /// The IPA's name in URLs and file systems: letters, digits and hyphens.
    package var archiveName: String {
        Slug(title: "\(name)-\(version)-\(build)", identifier: bundleIdentifier).rawValue
    }
}
