/// A function of the source that an address belongs to.
package struct SourceFrame: Sendable, Equatable, Codable {
    package let function: String
    /// The path on the machine that built it; nil where it is unknown.
    package let file: String?
    /// From 1; nil where it is unknown.
    package let line: Int?
    /// Whether the compiler put it into the function that is named next.
    package let isInlined: Bool

    package init(function: String, file: String?, line: Int?, isInlined: Bool) {
        self.function = function
        self.file = file
        self.line = line
        self.isInlined = isInlined
    }

    /// As in `Basket.swift:11`; nil where the file is unknown.
    package var place: String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }
}
