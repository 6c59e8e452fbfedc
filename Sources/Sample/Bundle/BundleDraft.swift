package import PropertyLists

/// One bundle of an IPA before it is signed: the app, or something inside it.
///
/// What is nil comes from the bundle around it, or from what is usual for the kind.
package struct BundleDraft: Sendable {
    package enum Kind: Sendable {
        case application, appExtension, framework, dynamicLibrary, watchApplication, appClip
    }

    /// What stands in Info.plist when everything is sealed.
    package enum InfoForm: Sendable {
        /// As Xcode writes it for devices.
        case binary
        case xml
        /// Anything instead, or with nil no such file.
        case verbatim([UInt8]?)
    }

    package var kind: Kind
    /// The name of the folder and of the executable, without a suffix.
    package var name: String
    /// The host's identifier and the name without spaces, when nil.
    package var identifier: String?
    package var displayName: String?
    /// `CFBundleShortVersionString`.
    package var version: String?
    /// `CFBundleVersion`.
    package var build: String?
    package var minimumOS: String?
    /// As `UIDeviceFamily` numbers them: 1 iPhone, 2 iPad, 3 TV, 4 Watch, 7 Vision.
    package var families: [Int]?
    package var platform = MachOPlatform.iOS
    package var architectures: [Architecture] = [.arm64]
    /// Keys of Info.plist to set, or with nil to leave out.
    package var info: [String: PropertyList?] = [:]
    /// Entitlements to sign with besides the usual three, or with nil to leave out.
    package var entitlements: [String: PropertyList?] = [:]
    package var resources: [SampleFile] = []
    package var nested: [BundleDraft] = []
    package var hasIcon: Bool
    /// False for a bundle that should embed a profile and does not.
    package var hasProfile: Bool
    /// The host's profile for this bundle's identifier when nil.
    package var profile: ProfileBuilder?
    package var signing = SigningOptions()
    /// The last word on each slice of the executable.
    package var adjustExecutable: (@Sendable (inout MachOBuilder) -> Void)?
    package var infoForm = InfoForm.binary
    /// False for a bundle whose executable went missing before everything was sealed.
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

    /// The folder of the host that holds this kind.
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
    /// Links the executable with one of Apple's frameworks, after what it links already.
    ///
    /// `isWeak` is for what may be missing at run time.
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

    /// The same bundle with nothing left to its host.
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
