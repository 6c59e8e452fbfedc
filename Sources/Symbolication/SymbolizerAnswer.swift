import Essentials
import Symbols

/// The output of `llvm-symbolizer --output-style=JSON` for one address.
struct SymbolizerAnswer: Decodable {
    private struct Symbol: Decodable {
        let FunctionName: String?
        let FileName: String?
        let Line: Int?
    }

    private let symbols: [Symbol]

    private enum Key: String, CodingKey { case Symbol }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        symbols = (try? fields.decodeIfPresent([Symbol].self, forKey: .Symbol)) ?? []
    }

    /// The names of the functions; empty for unknown ones.
    var names: [String] { symbols.map { $0.FunctionName ?? "" } }

    /// The maximum number of nested inlined functions.
    private static let depth = 100

    /// The functions at the address, the innermost first, in readable form.
    ///
    /// - Parameter other: the output for the same address with short names.
    /// - Returns: the functions; empty if one has no name.
    func frames(readableFrom other: SymbolizerAnswer) -> [SourceFrame] {
        // The symbol for the start of the file stands for all code without one.
        guard !names.contains(where: { $0.hasSuffix("_mh_execute_header") }) else { return [] }
        let known = symbols.prefix(Self.depth).filter { $0.FunctionName?.isEmpty == false }
        guard known.count == min(symbols.count, Self.depth) else { return [] }
        let isSame = other.symbols.count == symbols.count
        return known.enumerated().map { index, symbol in
            let long = symbol.FunctionName ?? ""
            let short = isSame ? other.symbols[index].FunctionName ?? long : long
            let file = symbol.FileName.flatMap { $0.isEmpty || $0 == "??" ? nil : $0 }
            return SourceFrame(
                function: CrashLine.plain(SwiftName.readable(long, short: short)),
                file: file.map { CrashLine.plain($0) },
                line: symbol.Line.flatMap { $0 > 0 ? $0 : nil },
                isInlined: index < known.count - 1,
            )
        }
    }
}
