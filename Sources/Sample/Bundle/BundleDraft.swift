package import PropertyLists

/// A bundle of an IPA before it is signed: the app, or a bundle inside it.
///
/// Properties that are nil are inherited from the enclosing bundle, or have the usual value for the kind.
package struct BundleDraft: Sendable {
    package enum Kind: Sendable {
        case application, appExtension, framework, dynamicLibrary, watchApplication, appClip
    }

    /// The form of Info.plist when the bundle is sealed.
    package enum InfoForm: Sendable {
        /// As Xcode writes it for devices.
        case binary
        case xml
        /// Other bytes; nil for no file.
        case verbatim([UInt8]?)
    }

    package var kind: Kind
    /// The name of the folder and the executable, without an extension.
    package var name: String
    /// Nil for the host's identifier followed by the name without spaces.
    package var identifier: String?
    package var displayName: String?
    /// `CFBundleShortVersionString`.
    package var version: String?
    /// `CFBundleVersion`.
    package var build: String?
    package var minimumOS: String?
    /// With the numbers of `UIDeviceFamily`: 1 iPhone, 2 iPad, 3 TV, 4 Watch, 7 Vision.
    package var families: [Int]?
    package var platform = MachOPlatform.iOS
    package var architectures: [Architecture] = [.arm64]
    /// Keys to set in Info.plist; nil removes a key.
    package var info: [String: PropertyList?] = [:]
    /// Entitlements in addition to the usual three; nil removes one.
    package var entitlements: [String: PropertyList?] = [:]
    package var resources: [SampleFile] = []
    package var nested: [BundleDraft] = []
    package var hasIcon: Bool
    /// False for a bundle that should embed a profile but does not.
    package var hasProfile: Bool
    /// Nil for the host's profile with this bundle's identifier.
    package var profile: ProfileBuilder?
    package var signing = SigningOptions()
    /// Final changes to each slice of the executable.
    package var adjustExecutable: (@Sendable (inout MachOBuilder) -> Void)?
    package var infoForm = InfoForm.binary
    /// False for a bundle whose executable was missing when it was sealed.
    package var hasExecutable = true

    package init(_ kind: Kind, named name: String, identifier: String? = nil) {
        self.kind = kind
        self.name = name
        self.identifier = identifier
        hasIcon = kind == .application || kind == .appClip
        hasProfile = kind.carriesEntitlements
    }
}

extension BundleDraft.Kind {
    /// Frameworks and libraries have neither entitlements nor a profile.
    package var carriesEntitlements: Bool {
        switch self {
        case .application, .appExtension, .watchApplication, .appClip: true
        case .framework, .dynamicLibrary: false
        }
    }

    var suffix: String {
        switch self {
        case .application, .watchApplication, .appClip: ".app"
        case .appExtension: ".appex"
        case .framework: ".framework"
        case .dynamicLibrary: ".dylib"
        }
    }

    /// The folder for this kind in the host.
    var folder: String {
        switch self {
        case .application: "Payload"
        case .appExtension: "PlugIns"
        case .framework, .dynamicLibrary: "Frameworks"
        case .watchApplication: "Watch"
        case .appClip: "AppClips"
        }
    }

    var packageType: String {
        switch self {
        case .application, .watchApplication, .appClip: "APPL"
        case .appExtension: "XPC!"
        case .framework, .dynamicLibrary: "FMWK"
        }
    }
}

extension BundleDraft {
    /// Links the executable with one of Apple's frameworks, after those already linked.
    ///
    /// `isWeak` is for a framework that may be missing at run time.
    package mutating func link(_ framework: String, isWeak: Bool = false) {
        let adjust = adjustExecutable
        let path = "/System/Library/Frameworks/\(framework).framework/\(framework)"
        adjustExecutable = { builder in
            adjust?(&builder)
            if isWeak {
                builder.weakLibraries.append(path)
            } else {
                builder.libraries.append(path)
            }
        }
    }

    /// The bundle with all inherited and default values set.
    func resolved(in host: BundleDraft?) -> BundleDraft {
        var draft = self
        let compact = name.filter { $0 != " " }
        draft.identifier = identifier ?? host?.identifier.map { "\($0).\(compact)" } ?? compact
        draft.version = version ?? host?.version ?? "1.0"
        draft.build = build ?? host?.build ?? "1"
        draft.families = families ?? host?.families ?? [1]
        if host?.platform == .watchOS, kind != .watchApplication {
            draft.platform = .watchOS
            draft.architectures = host?.architectures ?? architectures
        }
        draft.minimumOS = minimumOS ?? host?.minimumOS ?? "15.0"
        return draft
    }
}
