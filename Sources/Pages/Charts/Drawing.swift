/// An SVG picture with horizontal lengths in percent, so that it fits any screen while its text keeps its
/// size.
///
/// Colours come from the style sheet by class, because a page's security policy allows no inline styles.
struct Drawing {
    /// What the picture shows, for screen readers.
    private let title: String
    private let summary: String
    private let identifier: String
    private let kind: String
    private let height: Int
    private var parts = ""

    /// - Parameters:
    ///   - kind: the class for the style sheet.
    ///   - identifier: unique on the page.
    ///   - title: the subject of the picture.
    ///   - summary: the content of the picture.
    ///   - height: in pixels.
    init(_ kind: String, identifier: String, title: String, summary: String, height: Int) {
        self.kind = kind
        self.identifier = identifier
        self.title = title
        self.summary = summary
        self.height = height
    }

    /// Adds a bar from `x` to `x + width`, in percent, and from `y`, in pixels; the title is a tooltip.
    mutating func bar(
        x: Double,
        width: Double,
        y: Double,
        height: Double,
        radius: Double = 2,
        kind: String,
        title: String? = nil,
    ) {
        parts +=
            "<rect class=\"\(kind)\" x=\"\(Self.text(x))%\" y=\"\(Self.text(y))\" "
            + "width=\"\(Self.text(width))%\" height=\"\(Self.text(height))\" rx=\"\(Self.text(radius))\""
        parts += title.map { "><title>\(HTMLText.escaped($0))</title></rect>" } ?? "/>"
    }

    /// Adds a vertical line at `x` percent.
    mutating func mark(x: Double, from top: Double = 0, to bottom: Double, kind: String) {
        parts +=
            "<line class=\"\(kind)\" x1=\"\(Self.text(x))%\" x2=\"\(Self.text(x))%\" "
            + "y1=\"\(Self.text(top))\" y2=\"\(Self.text(bottom))\"/>"
    }

    /// Adds a horizontal line across the picture at `y` pixels.
    mutating func level(y: Double, kind: String) {
        parts +=
            "<line class=\"\(kind)\" x1=\"0\" x2=\"100%\" y1=\"\(Self.text(y))\" "
            + "y2=\"\(Self.text(y))\"/>"
    }

    /// Adds text that starts, is centred or ends at `x` percent.
    mutating func word(_ text: String, x: Double, y: Double, anchor: Anchor, kind: String) {
        parts +=
            "<text class=\"\(kind)\" x=\"\(Self.text(x))%\" y=\"\(Self.text(y))\" "
            + "text-anchor=\"\(anchor.rawValue)\">\(HTMLText.escaped(text))</text>"
    }

    enum Anchor: String {
        case start, middle, end
    }

    var svg: String {
        "<svg class=\"chart \(kind)\" role=\"img\" width=\"100%\" height=\"\(height)\" "
            + "aria-labelledby=\"\(identifier)-title\" aria-describedby=\"\(identifier)-text\">"
            + "<title id=\"\(identifier)-title\">\(HTMLText.escaped(title))</title>"
            + "<desc id=\"\(identifier)-text\">\(HTMLText.escaped(summary))</desc>\(parts)</svg>"
    }

    /// Returns a number with at most two decimals, the same on every machine.
    static func text(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let sign = hundredths < 0 ? "-" : ""
        let whole = abs(hundredths) / 100
        let rest = abs(hundredths) % 100
        guard rest > 0 else { return "\(sign)\(whole)" }
        let digits = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
        return "\(sign)\(whole).\(digits)"
    }
}
