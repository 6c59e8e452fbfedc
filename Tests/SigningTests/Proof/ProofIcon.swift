import Images
import PropertyLists

/// An icon that is drawn once: drawing real ones takes longer than the rest of a small build.
enum ProofIcon {
    static let png = Raster.placeholder(name: "Proof", seed: "proof", side: 24).png()

    static let keys = PropertyList.dictionary([
        "CFBundlePrimaryIcon": .dictionary([
            "CFBundleIconFiles": .array([.string("AppIcon60x60")])
        ])
    ])
}
