package import Problems
package import Zip

/// The rules that the app of an archive, or a bundle inside it, violates if it cannot be read.
package enum BundleRule: String, Sendable, CaseIterable {
    /// There is no `Payload/*.app` folder (catalogue row 69).
    case noApplication = "bundle.no-application"
    /// An Android app: an `.apk` or `.aab`, even if renamed.
    case androidApplication = "bundle.android"
    /// There are several apps; installd accepts one.
    case severalApplications = "bundle.several-applications"
    /// `Payload` is inside another folder, as Finder's Compress creates it (row 69).
    case payloadNested = "bundle.payload-nested"
    /// `Payload` has another case; a device's file system is case-sensitive.
    case payloadMisspelt = "bundle.payload-misspelt"
    /// A bundle has no Info.plist.
    case infoMissing = "bundle.info-missing"
    /// An Info.plist is not a property list with a dictionary, or is too large.
    case infoMalformed = "bundle.info-malformed"
    /// There are more bundles, or more bytes of Info.plists and profiles, than in any real app.
    case tooManyBundles = "bundle.too-many"

    /// How to fix it.
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

/// Why the app of an archive, or a bundle inside it, cannot be read.
package enum BundleRefusal: ReportableError, Equatable, Sendable {
    case bundle(BundleRule, place: String, detail: String)
    /// An entry of the archive could not be read.
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
