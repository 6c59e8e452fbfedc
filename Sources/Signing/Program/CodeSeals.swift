package import PropertyLists

/// The data that a signature covers besides the code itself.
package struct CodeSeals: Sendable {
    /// The bundle identifier; for a library without a bundle, its file name without extension.
    package var identifier: String
    /// The bytes of the bundle's Info.plist; nil to use the one inside the executable, if any.
    package var infoPlist: [UInt8]?
    /// The bytes of `_CodeSignature/CodeResources`; nil for code without a bundle.
    package var codeResources: [UInt8]?
    /// The program's entitlements; nil for frameworks and libraries.
    package var entitlements: PropertyList?

    package init(
        identifier: String,
        infoPlist: [UInt8]? = nil,
        codeResources: [UInt8]? = nil,
        entitlements: PropertyList? = nil,
    ) {
        self.identifier = identifier
        self.infoPlist = infoPlist
        self.codeResources = codeResources
        self.entitlements = entitlements
    }
}
