package import Problems
package import Zip

/// Why the one app of an archive, or a bundle inside it, cannot be read.
package enum BundleRule: String, Sendable, CaseIterable {
    /// There is no `Payload/*.app` folder (catalogue row 69).
    case noApplication = "bundle.no-application"
    /// An Android app: `.apk`, `.aab`, or one of these under another name.
    case androidApplication = "bundle.android"
    /// There are several; installd takes one.
    case severalApplications = "bundle.several-applications"
    /// `Payload` is in a folder of its own, as Finder's Compress makes it (row 69).
    case payloadNested = "bundle.payload-nested"
    /// `Payload` is spelt with other capitals; a device's file system distinguishes them.
    case payloadMisspelt = "bundle.payload-misspelt"
    /// A bundle without Info.plist.
    case infoMissing = "bundle.info-missing"
    /// An Info.plist that is not a property list with a dictionary, or is too large.
    case infoMalformed = "bundle.info-malformed"
    /// More bundles, or more bytes of Info.plist and profiles, than any real app has.
    case tooManyBundles = "bundle.too-many"

    /// What to do about it.
    package var fix: String {
        switch self {
        case .noApplication:
            "Export the archive in Xcode (Distribute App) or with xcodebuild -exportArchive, and give the .ipa that it writes."
        case .androidApplication:
            "Give the .ipa of the iOS app; ota does not distribute Android apps."
        case .severalApplications:
            "Make one .ipa for each app."
        case .payloadNested:
            "Zip the Payload folder itself, not the folder around it: zip -qry App.ipa Payload."
        case .payloadMisspelt:
            "Rename the folder to Payload and zip it again."
        case .infoMissing:
            "Build the bundle again; Xcode writes its Info.plist (GENERATE_INFOPLIST_FILE or INFOPLIST_FILE)."
        case .infoMalformed:
            "Check the file with plutil -lint and build again."
        case .tooManyBundles:
            "Give an .ipa with at most \(AppBundle.ReadingLimits.ipa.bundles) nested bundles."
        }
    }
}

/// Why an archive gives no app, or a bundle in it no facts.
package enum BundleRefusal: ReportableError, Equatable, Sendable {
    case bundle(BundleRule, place: String, detail: String)
    /// The archive refused to give an entry's bytes.
    case archive(ZipRefusal)
}

extension BundleRefusal: CustomStringConvertible {
    /// The rule's identifier: `bundle.…` or `zip.…`.
    package var id: String {
        switch self {
        case .bundle(let rule, _, _): rule.rawValue
        case .archive(let refusal): refusal.rule.rawValue
        }
    }

    package var kind: Problem.Kind { .invalid }

    package var place: String {
        switch self {
        case .bundle(_, let place, _): place
        case .archive(let refusal): refusal.place
        }
    }

    package var detail: String {
        switch self {
        case .bundle(_, _, let detail): detail
        case .archive(let refusal): refusal.detail
        }
    }

    package var fix: String {
        switch self {
        case .bundle(let rule, _, _): rule.fix
        case .archive(let refusal): refusal.rule.fix
        }
    }

    package var description: String { "\(place): \(detail)" }
}
