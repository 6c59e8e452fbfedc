/// A hardware model with its marketing name.
package struct DeviceModel: Hashable, Sendable {
    package let product: ProductType
    /// `iPhone 14 Pro`; for a model that is not in the tables, `iPhone (iPhone99,1)`.
    package let name: String
    package let isKnown: Bool

    package init(_ product: ProductType) {
        self.product = product
        if let name = Self.names[product.rawValue] {
            self.name = name
            isKnown = true
        } else {
            let line = Self.lineNames[product.line] ?? product.family?.title ?? "Device"
            name = "\(line) (\(product))"
            isKnown = false
        }
    }

    /// The name of a product type from a document; the text itself if it is not a product type.
    package static func name(of product: String) -> String {
        ProductType(product).map { DeviceModel($0).name } ?? product
    }

    /// The device family; nil for Macs and unknown product lines.
    package var family: DeviceFamily? { product.family?.deviceFamily }

    /// The names of Mac product lines that are more specific than "Mac".
    private static let lineNames = [
        "MacBookPro": "MacBook Pro", "MacBookAir": "MacBook Air", "Macmini": "Mac mini",
        "iMac": "iMac", "MacPro": "Mac Pro",
    ]

    /// Every product type in the tables, with its name.
    package static let entries: [(product: String, name: String)] = {
        let lines = [phones, pads, watches, others].flatMap { $0.split(separator: "\n") }
        return lines.flatMap { line in
            let columns = line.split(separator: ":", maxSplits: 1)
            return columns.dropFirst().joined().split(separator: " ").map {
                (String($0), String(columns[0]))
            }
        }
    }()

    private static let names = Dictionary(
        entries.map { ($0.product, $0.name) },
        uniquingKeysWith: { first, _ in first },
    )
}
