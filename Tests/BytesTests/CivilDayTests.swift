import Bytes
import Testing

@Suite struct CivilDayTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
            (47_540, 2100, 2, 28), (47_541, 2100, 3, 1), (-719_528, 0, 1, 1),
            (2_932_896, 9999, 12, 31),
        ]
    )
    func `a day has one number and back`(number: Int, year: Int, month: Int, day: Int) {
        let civil = CivilDay(year: year, month: month, day: day)
        #expect(civil.daysSince1970 == number)
        #expect(CivilDay(daysSince1970: number) == civil)
    }
}
