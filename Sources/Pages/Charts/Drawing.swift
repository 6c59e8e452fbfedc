/// A picture in SVG whose lengths across are shares of its width, so that it fits any screen while
/// its lettering keeps its size.
///
/// Colours come from the style sheet by class: a page's policy allows no others.
struct Drawing {
    /// What the picture shows, for screen readers.
    private let title: String
    private let summary: String
    private let identifier: String
    private let kind: String
    private let height: Int
    private var parts = ""

    /// - Parameters:
    ///   - kind: the class, which the style sheet knows.
    ///   - identifier: unlike every other on the page.
    ///   - title: what is shown.
    ///   - summary: what can be seen in it.
    ///   - height: in pixels.
    init(_ kind: String, identifier: String, title: String, summary: String, height: Int) {
        self.kind = kind
        self.identifier = identifier
        self.title = title
        self.summary = summary
        self.height = height
    }

    /// A bar from `x` to `x + width`, in percent, and from `y` on, in pixels; the title shows under
    /// a pointer.
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

    /// A line down the picture at `x` percent.
    mutating func mark(x: Double, from top: Double = 0, to bottom: Double, kind: String) {
        parts +=
            "<line class=\"\(kind)\" x1=\"\(Self.text(x))%\" x2=\"\(Self.text(x))%\" "
            + "y1=\"\(Self.text(top))\" y2=\"\(Self.text(bottom))\"/>"
    }

    /// A line across the whole picture at `y` pixels.
    mutating func level(y: Double, kind: String) {
        parts +=
            "<line class=\"\(kind)\" x1=\"0\" x2=\"100%\" y1=\"\(Self.text(y))\" "
            + "y2=\"\(Self.text(y))\"/>"
    }

    /// Lettering that begins, stands in the middle or ends at `x` percent.
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

    /// At most two digits behind the point, the same on every machine.
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
