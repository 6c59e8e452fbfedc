/// A source function to which an address belongs.
package struct SourceFrame: Sendable, Equatable, Codable {
    package let function: String
    /// The path on the build machine; nil if unknown.
    package let file: String?
    /// From 1; nil if unknown.
    package let line: Int?
    /// Whether the compiler inlined it into the next function.
    package let isInlined: Bool

    package init(function: String, file: String?, line: Int?, isInlined: Bool) {
        self.function = function
        self.file = file
        self.line = line
        self.isInlined = isInlined
    }

    /// `Basket.swift:11`; nil if the file is unknown.
    package var place: String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }
}
