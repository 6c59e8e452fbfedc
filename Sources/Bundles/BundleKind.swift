/// The kind of a bundle in an IPA; the raw values are part of the JSON format.
package enum BundleKind: String, Codable, Sendable, CaseIterable {
    case application = "app"
    case appExtension = "app-extension"
    case framework
    case dynamicLibrary = "dylib"
    case watchApplication = "watch-app"
    case appClip = "app-clip"

    /// Whether the bundle has a provisioning profile of its own.
    ///
    /// Frameworks and libraries have neither a profile nor entitlements (TN3125).
    package var hasOwnProfile: Bool {
        switch self {
        case .application, .appExtension, .watchApplication, .appClip: true
        case .framework, .dynamicLibrary: false
        }
    }

    /// The kind in words, with an article.
    package var title: String {
        switch self {
        case .application: "an app"
        case .appExtension: "an app extension"
        case .framework: "a framework"
        case .dynamicLibrary: "a dynamic library"
        case .watchApplication: "a watch app"
        case .appClip: "an App Clip"
        }
    }
}
