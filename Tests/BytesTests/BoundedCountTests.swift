import Bytes
import Testing

struct BoundedCountTests {
    @Test(arguments: [
        ([0], 0), ([7], 7), ([3, 4], 12), ([0, Int.max, Int.max], 0), ([8, 1, 2], 16),
    ])
    func `a number within the limit is the product of its factors`(
        factors: [Int],
        product: Int,
    ) throws {
        #expect(try Self.count(factors, 16) == product)
    }

    @Test(
        arguments: [
            [17], [-1], [4, 5], [Int.max, 2], [Int.max, Int.max, 16], [-1, 0], [Int.min], [-2, -2],
        ]
    )
    func `a number over the limit, below 0 or beyond all numbers is refused`(factors: [Int]) {
        #expect(throws: OversizedCount(what: "bytes", limit: 16)) { try Self.count(factors, 16) }
    }

    private static func count(_ factors: [Int], _ limit: Int) throws -> Int {
        switch factors.count {
        case 1: try BoundedCount(factors[0], atMost: limit, of: "bytes").value
        case 2: try BoundedCount(factors[0], factors[1], atMost: limit, of: "bytes").value
        default:
            try BoundedCount(factors[0], factors[1], factors[2], atMost: limit, of: "bytes").value
        }
    }
}
