export interface PlanAndSeats {
  planId: string;
  seats: number;
}

/** Whether both plan and seats are equal; false if the other is null. */
export function isSamePlanAndSeats(one: PlanAndSeats, other: PlanAndSeats | null): boolean {
  return one.planId === other?.planId && one.seats === other.seats;
}
