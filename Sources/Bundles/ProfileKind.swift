/// How a provisioning profile lets an app be distributed; the raw values are a JSON contract.
package enum ProfileKind: String, Codable, Sendable, CaseIterable {
    case development
    case adHoc = "ad-hoc"
    case enterprise
    case appStore = "app-store"

    /// The type rule of TN3125: keys decide, a profile does not name its type.
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

    /// Whether only the devices that the profile lists can install the build.
    package var isLimitedToListedDevices: Bool { self == .development || self == .adHoc }

    /// The name that Apple's developer site uses.
    package var title: String {
        switch self {
        case .development: "development"
        case .adHoc: "Ad Hoc"
        case .enterprise: "In-House"
        case .appStore: "App Store"
        }
    }
}
