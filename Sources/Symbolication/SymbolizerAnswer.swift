import Essentials
import Symbols

/// What `llvm-symbolizer --output-style=JSON` says of one address.
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

    /// Functions inlined in one another that are listed at most.
    private static let depth = 100

    /// The functions at the address, the innermost first, named as people write them.
    ///
    /// - Parameter other: the same address with short names.
    /// - Returns: them; none where one has no name.
    func frames(readableFrom other: SymbolizerAnswer) -> [SourceFrame] {
        // The symbol of the file's own beginning stands for all that has no other.
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
