package import PropertyLists

/// What a signature binds besides the code itself.
package struct CodeSeals: Sendable {
    /// The bundle identifier; for a library without a bundle, its file name without extension.
    package var identifier: String
    /// The bytes of Info.plist beside the program; nil for the one inside it, if there is one.
    package var infoPlist: [UInt8]?
    /// The bytes of `_CodeSignature/CodeResources`; nil for code without a bundle.
    package var codeResources: [UInt8]?
    /// What the signer grants the program; nil for frameworks and libraries, which carry none.
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
