/// The distribution type of a provisioning profile; the raw values are part of the JSON format.
package enum ProfileKind: String, Codable, Sendable, CaseIterable {
    case development
    case adHoc = "ad-hoc"
    case enterprise
    case appStore = "app-store"

    /// Determines the type from the profile's keys as in TN3125; a profile does not state its type.
    package init(provisionsAllDevices: Bool, listsDevices: Bool, getTaskAllow: Bool) {
        self =
            if provisionsAllDevices {
                .enterprise
            } else if listsDevices {
                getTaskAllow ? .development : .adHoc
            } else {
                .appStore
            }
    }

    /// Whether only the devices in the profile can install the build.
    package var isLimitedToListedDevices: Bool { self == .development || self == .adHoc }

    /// The name on Apple's developer site.
    package var title: String {
        switch self {
        case .development: "development"
        case .adHoc: "Ad Hoc"
        case .enterprise: "In-House"
        case .appStore: "App Store"
        }
    }
}
